@_spi(Server) import BenjiProtocol
import Load
import Testing

@Suite("The phones of a run")
struct PopulationTests {
    private let population = Population(pool: IPPrefix("127.8.0.0/16")!, count: 65000)!

    @Test("every phone has an address of the pool, a number and a SIM of its own")
    func distinct() {
        let sample = Array(stride(from: 0, to: 65000, by: 7)) + [64999]
        #expect(Set(sample.map(population.address)).count == sample.count)
        #expect(Set(sample.map(population.nationalNumber)).count == sample.count)
        #expect(Set(sample.map(population.imsi)).count == sample.count)
        #expect(population.address(0).description == "127.8.0.1")
        #expect(population.address(64999).description == "127.8.253.232")
        #expect(population.imsi(1).utf8.count == 15)
        #expect(PhoneNumber(population.nationalNumber(64999))?.isMainlandMobile == true)
    }

    @Test("a released number names its phone, and a stranger's names none")
    func released() {
        #expect(population.index(ofNationalNumber: population.nationalNumber(4711)) == 4711)
        for stranger in ["13700065000", "13800000000", "137", "", "1370000471١"] {
            #expect(population.index(ofNationalNumber: stranger) == nil)
        }
    }

    @Test("a pool that is too small, or not IPv4, is refused")
    func refused() {
        #expect(Population(pool: IPPrefix("127.8.0.0/24")!, count: 254) != nil)
        #expect(Population(pool: IPPrefix("127.8.0.0/24")!, count: 255) == nil)
        #expect(Population(pool: IPPrefix("2001:db8::/64")!, count: 1) == nil)
        #expect(Population(pool: IPPrefix("127.8.0.0/16")!, count: 0) == nil)
    }
}

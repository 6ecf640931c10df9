/// What an operator should know of a store that works.
package struct StoreExamination: Sendable {
    /// Of the database. Each has its remedy.
    package var ofDatabase: [String] = []
    /// Of the rights of the role that servers connect as. Each has its remedy.
    package var ofRights: [String] = []
    /// Of a server with this configuration alone, and not of the commands of the tables' owner.
    package var ofServer: [String] = []
    /// Needs no action.
    package var advice: String?

    package init() {}

    /// What holds for servers and commands.
    package var warnings: [String] { ofDatabase + ofRights }
}

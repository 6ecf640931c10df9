import Administration
import ArgumentParser
import BenjiProtocol

extension ArgumentHelp {
    /// The help text of a setting, as in the console.
    static func of(_ setting: OpenIDSetting) -> ArgumentHelp { ArgumentHelp(setting.help.english) }
}

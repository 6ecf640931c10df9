import Administration
import ArgumentParser
import BenjiProtocol

extension ArgumentHelp {
    /// What the console says of a setting too.
    static func of(_ setting: AppSetting) -> ArgumentHelp { ArgumentHelp(setting.help.english) }

    static func of(_ setting: OpenIDSetting) -> ArgumentHelp { ArgumentHelp(setting.help.english) }

    /// Of a list that an option, given once or several times, replaces.
    static func ofNewList(_ setting: AppSetting) -> ArgumentHelp {
        ArgumentHelp(setting.help.english.dropLast() + "; given once or several times, the new list.")
    }
}

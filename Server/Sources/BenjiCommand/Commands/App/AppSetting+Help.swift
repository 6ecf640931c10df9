import Administration
import ArgumentParser
import BenjiProtocol

extension ArgumentHelp {
    /// The help text of a setting, as in the console.
    static func of(_ setting: AppSetting) -> ArgumentHelp { ArgumentHelp(setting.help.english) }

    static func of(_ setting: OpenIDSetting) -> ArgumentHelp { ArgumentHelp(setting.help.english) }

    /// Of a list that an option, given once or several times, replaces.
    static func ofNewList(_ setting: AppSetting) -> ArgumentHelp {
        ArgumentHelp(setting.help.english.dropLast() + "; given once or several times, the new list.")
    }
}

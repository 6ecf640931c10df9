/// Findings about a store that works, for an operator.
package struct StoreExamination: Sendable {
    /// About the database, each with its remedy.
    package var ofDatabase: [String] = []
    /// About the rights of the role that servers connect as, each with its remedy.
    package var ofRights: [String] = []
    /// About a server with this configuration, and not about the commands of the tables' owner.
    package var ofServer: [String] = []
    /// Needs no action.
    package var advice: String?

    package init() {}

    /// The findings that concern both servers and commands.
    package var warnings: [String] { ofDatabase + ofRights }
}

extension Schema {
    /// The effects of the schema's steps, in the order of ``migrator``, for operators.
    static let steps: [SchemaStep] = [
        SchemaStep(
            version: "v1", summary: "makes the tables of apps, register, credentials, ledger, consents and traces"),
        SchemaStep(version: "v2", summary: "counts the changes of each app"),
        SchemaStep(
            version: "v3",
            summary: "lets an app do without a key in the phone, or without a sign on its server's requests"
        ),
        SchemaStep(version: "v4", summary: "adds OpenID Connect: clients, signing keys and credentials"),
        SchemaStep(version: "v5", summary: "adds CAMARA's purposes, face accounts and groups, and clients' images"),
        SchemaStep(
            version: "v6",
            summary:
                "gives each app's keys rows of their own, counts limits in the store, and remembers which master key the database "
                + "belongs to, who may order and who ordered what, until when a deletion can be taken back, whose login a trace is, who was "
                + "erased, from which day on the ledger is kept, which pages were reviewed, and which policies held; keeps the name of a request with the "
                + "token that it spent, keeps what pages showed once for all consents, takes spent tokens out of the indexes later, keeps the record of pairs of gateways, keeps SMS codes, the workflow and the contract of each app, and how many tokens a number has in a day, texts that phones send, whose service an app is, how many steps of logins ended alike, how admins sign in to the console, by their own phones too, how strictly an OpenID client is held, which keys of installs were attested, which consents people had remembered, which clients show a certificate, which may ask people on their phones, and the public log of releases and consents"
        ),
        SchemaStep(version: "v7", summary: "keeps how many lines of the ledger are alike, for statements"),
        SchemaStep(version: "v8", summary: "adds codes to the rows that give rights, and the mark of the audit log"),
        SchemaStep(version: "v9", summary: "adds the marks that count the rows of the ledger and the consents"),
        SchemaStep(version: "v10", summary: "keeps heads of the public log from being deleted"),
    ]
}

import Testing

/// Ways in which stores have been wrong, each with words of a promise that must notice.
enum Flaw: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Lets the last master key win: a lost key is replaced in silence.
    case replacesTheMasterKey
    case keepsMasterKeysInTwoSteps
    case retiresKeysInUse
    /// Lets a process that has not heard of a rotation write under a retired key.
    case takesValuesUnderAnyKey
    /// Lets such a process look for numbers where they are no more, and make them a second time.
    case searchesByFormerKeys
    case forgetsFormerIndices
    /// A rotation puts back what somebody has changed since it was read.
    case sealsOverWhatChanged
    case keepsPagesOfErasedApps
    case keepsStolenKeys
    case keepsFormerSigningKeys
    case addsSigningKeysOneByOne
    /// Reads whether the token is spent, waits, writes: the bug that reached many a released server.
    case redeemsInTwoSteps
    case validAtTheMomentOfExpiry
    case spendsBeforeLookingAtTheApp
    case ignoresTheNamedLogin
    case spendsForOutdatedApps
    case issuesForOutdatedApps
    case keepsScripsForOutdatedApps
    case takesNamesForOutdatedApps
    case issuesForReplacedGateways
    case keepsScripsOfReplacedGateways
    case takesFencesOfOthers
    case recordsForReplacedGateways
    /// Writes entries that came a second time over newer ones.
    case recordsTwice
    case claimsInTwoSteps
    case claimsFromTheLiving
    case keepsTheFence
    case hidesTheLiving
    /// Says that all is read where a part was.
    case readsToTheEndAtOnce
    case forgetsEndsAtTheMoment
    case hidesWhatIsForgotten
    case spendsBeforeLookingAtTheStrength
    case spendsBeforeItKnowsTheAnswer
    case ignoresNewSIMs
    case ignoresNewOwners
    case spendsRevokedTokens
    case forgetsSpentNames
    case keepsNamesOfRefusedRequests
    case sharesNamesBetweenApps
    case forgetsNamesAMillisecondEarly
    case takesNamesInTwoSteps
    case countsQuotaInTwoSteps
    case ignoresTheMonth
    case rewritesContracts
    /// Reads how many tokens a number has had today, waits, issues.
    case countsNumbersInTwoSteps
    case countsNumbersOfAllApps
    case deletesNumbersAtTheDay
    case keepsNumbersOfTheErased
    case billsRefusals
    case usesScripsInTwoSteps
    case countsUnusedInTwoSteps
    case countsSpentTokens
    case countsRevokedTokens
    /// Gives more tokens to a caller that never redeems, as soon as the earlier ones have expired.
    case forgetsExpiredTokens
    case countsTheWindowsFirstMoment
    /// Lets tokens of one app, or one device, count against others.
    case countsOtherApps
    case countsOtherKeys
    case putsOutTheOldest
    case putsOutWhatIsStronger
    case keepsLeavesOfTokensPutOut
    case keepsConsentsThatBoughtNothing
    case deletesConsentsOfTheRedeemed
    case deletesOldConsents
    case deletesRedeemedCodesEarly
    case knowsKeysOfOldOwners
    case countsGuessesInTwoSteps
    case countsGuessesOfAllApps
    case countsRightGuesses
    /// Refuses wrong guesses, and confirms the right one to a caller that goes on.
    case tellsTheRightGuess
    case countsSMSCodesInTwoSteps
    /// Has requests that are refused use up other budgets.
    case countsRefusedSMSCodes
    case countsMessagesThatNobodyTook
    case takesCodesThatNobodySent
    case keepsReplacedSMSCodes
    case replacesSMSCodesOfOtherApps
    case takesSMSCodesOfOtherApps
    case takesSMSCodesAtTheirEnd
    case spendsSMSCodesTwice
    case triesSMSCodesInTwoSteps
    case tellsTheRightSMSCode
    case mixesSendersUp
    case believesPhonesAboutOtherNumbers
    /// Prefers the likeliest reference to the number.
    case takesTheFirstReference
    /// Finds another number's code under the id in the other number base.
    case takesOtherBasesOfOtherNumbers
    case deletesSMSCodesAtTheMoment
    case keepsSMSCodesOfTheErased
    case spendsOfOutdatedIssuers
    case spendsAnyTokenForAnother
    case notesSMSUpstreamInTwoSteps
    case believesTheLastSenderOfSMSUpstream
    case keepsContestedSMSUpstream
    case takesLateSMSUpstream
    case takesSMSUpstreamOfOtherApps
    case takesSMSUpstreamOfOtherDevices
    case spendsSMSUpstreamInTwoSteps
    case spendsSMSUpstreamWhenAsked
    case keepsSMSUpstreamOfTheErased
    case tellsNothingOfPauses
    case advancesAttestedKeysInTwoSteps
    case takesEqualCounters
    case revivesAttestedKeys
    case keepsFormerAttestedKeys
    case keepsAttestedKeysOfErasedApps
    case logsTwice
    case logsInTwoSteps
    case logsAnswersAsReleases
    case logsReleasesWithPagesAlone
    case logsPastWhatWasLeft
    case showsReleasesOfFormerHolders
    case showsConsentsOfFormerHolders
    case keepsLeavesOfTheErased
    case removesLeavesOfOldRows
    case forgetsAppsOfAChange
    case countsAppsThatAreGone
    case changesTeamsInTwoSteps
    case takesAllAppsFromWhoLeaves
    case forgetsInvitations
    case sumsLoginsOfLaterHours
    case sumsLoginsOverApps
    case forgetsEarlierLoginCounts
    case countsLoginsOfOtherApps
    case countsLoginsBackwards
    case deletesLoginCountsOfTheHour
    case withdrawsFromEveryApp
    case withdrawsFromFormerHolders
    case forgetsCodesOfWithdrawals
    case leavesPagesOfWithdrawals
    case tellsNoAppOfWithdrawals
    case forgetsTheStrength
    case usesUpTheScripOfARefusal
    case keepsOldGenerations
    case revokesOnlyTheCurrentGeneration
    /// Revokes what it finds, and not what a request under way stores a moment later.
    case storesLateScripsAlive
    case issuesUnderRevokedBindings
    case remembersBindingsForever
    case believesTheLastRevocation
    case changesRegisterInTwoSteps
    case keepsDroppedSourceIDs
    /// Writes an app as somebody read it, whatever was written since: a rotated key comes back.
    case overwritesApps
    case changesAppsInTwoSteps
    case believesTheLastUsage
    case overwritesClients
    case changesClientsInTwoSteps
    case countsEachClientFromOne
    case changesImagesOfARefusal
    case dropsImagesThatWereNotNamed
    case exchangesInTwoSteps
    case takesAnyKind
    case spendsOverTheQuota
    case spendsWhatIsKept
    case forgetsOpenIDWhenRevoking
    /// An access token that is answered again is billed again.
    case billsEachAnswer
    /// Each page of a pushed request buys a code.
    case logsInTwiceByOnePush
    case remembersForClientsThatMayNot
    case remembersBesideTheWithdrawal
    case keepsForgottenConsents
    case endsConsentsOfOthers
    case forgetsUses
    case showsRequestsToOthers
    case showsWhatIsDecided
    case keepsTheFirstFrameAncestors
    case enrolsInTwoSteps
    case renewsInTwoSteps
    case changesUIDsInTwoSteps
    case takesAnyDevice
    case ignoresFreezing
    /// Lets two logins at once undo each other.
    case ignoresWhatWasRead
    case keepsFacesOfOldOwners
    /// Keeps a template that no app has leave to use.
    case keepsFacesOfNobody
    /// Erases an account that was to stay when its last binding was cancelled.
    case erasesByTheLastCancelling
    case erasesUnboundFacesEarly
    /// Erases an account that an app knows again.
    case erasesWhoCameBack
    case erasesFrozenFaces
    /// Takes an install for one with an account after that has ended.
    case remembersWhoLeft
    case sharesGroupsBetweenApps
    /// Finds people by what they have agreed to elsewhere.
    case findsByAnotherAppsYes
    case findsFrozenFaces
    case keepsTheYesOfWhoLeaves
    case keepsTheYesToOldTerms
    case forgetsWhatTheAppSaid
    case verifiesFrozenFaces
    case keepsFaceLoginsOfOldSIMs
    /// Opens an account by a login that began before the SIM was replaced.
    case opensByOldSIMs
    case bringsBackLoginsOfOldSIMs
    /// Ends what a device holds, and does not say why.
    case tellsNobody
    case ignoresRevisionsOfAccounts
    case freezesInTwoSteps
    case ignoresRevisionsOfBindings
    case comparesBindingsInTwoSteps
    /// Takes a new authorisation for the one before.
    case countsAuthorisationsFromOne
    case datesUIDsAnew
    case changesGroupsInTwoSteps
    case erasesAppsThatStay
    case erasesAppsLate
    case erasesClientsFirst
    case countsTheEndOfALedgersRange
    case countsOtherAppsLines
    case forgetsConsents
    case forgetsTheLine
    case writesLinesOfRefusedChanges
    /// Changes an app and then finds that the request was carried out before.
    case changesBeforeTheLine
    case takesRequestsTwice
    case givesAdminNamesTwice
    case keepsFormerCredentials
    case givesAppsInTwoSteps
    case acceptsInvitationsInTwoSteps
    case countsSignInsInTwoSteps
    case takesCodesTwice
    case takesCodesInTwoSteps
    case takesAnyPhone
    case spendsPendingInTwoSteps
    case keepsPending
    case bindsWithoutSession
    case keepsSessionsOfTheRevoked
    case keepsAccountsOfFormerCredentials
    case sharesRequestKeys
    case countsTheEndOfARange
    case sendsLinesOnTwice
    case takesPagesTwice
    case decidesPagesInTwoSteps
    /// Takes a page for approved although the app could not be changed.
    case decidesBeforeTheApp
    case repeatsPolicies
    /// Forgets that a policy came back.
    case takesOldPoliciesForKnown
    case listsTracesBackwards
    case findsOtherAppsLogins
    case tellsTheFirstStep
    case tellsTheLastStep
    case losesLoginsOfAMoment
    case tellsALoginTwice
    case findsFormerHolders
    case deletesAtTheMoment
    case deletesConsentsAtTheMoment
    case letsTheLedgerBeginEarlier
    case keepsOldCounts
    case statesSumsAlone
    case sumsTheSameAgain
    case sumsInTwoSteps
    case keepsSumsOfGoneDays
    /// Finds data about a person by the row alone, not by an app's name for them.
    case keepsAskedSubjects
    case erasesOnlyTheNamedStep
    case erasesEvidence
    case givesRowsTwice
    case erasesTheNextHolder
    case leavesLateWrites
    case exportsFormerHolders
    case ignoresLeases
    case keepsDeadLeases
    case sendsWhatIsStopped
    case claimsEventsInTwoSteps
    case settlesForOthers
    case countsBrokenAttempts
    case replaysForAll
    case keepsDeadLetters
    case forgetsTheEvent
    case tellsOfRefusals
    case tellsOfRefusedChanges
    case forgetsOnClose
    case answersAfterClose

    /// Words of the promise that must be among the broken ones.
    var noticedBy: String {
        switch self {
        case .replacesTheMasterKey: "the check value of the first master key"
        case .keepsMasterKeysInTwoSteps: "of 16 master keys"
        case .retiresKeysInUse: "a key under which something is sealed is not retired"
        case .takesValuesUnderAnyKey: "a value under a retired key"
        case .searchesByFormerKeys: "a search by another key"
        case .forgetsFormerIndices: "a number is found by its former index"
        case .sealsOverWhatChanged: "what changed since it was read is not sealed over"
        case .keepsPagesOfErasedApps: "the pages of an erased app"
        case .keepsStolenKeys: "without an end for the others"
        case .keepsFormerSigningKeys: "a new OpenID key signs alone"
        case .addsSigningKeysOneByOne: "OpenID keys of several algorithms"
        case .redeemsInTwoSteps: "of 64 that redeem one token"
        case .validAtTheMomentOfExpiry: "a token is valid one millisecond before"
        case .spendsBeforeLookingAtTheApp: "another app is refused"
        case .ignoresTheNamedLogin: "names another login"
        case .spendsForOutdatedApps, .takesNamesForOutdatedApps: "who judged by an older record of the app spends"
        case .issuesForReplacedGateways, .keepsScripsOfReplacedGateways, .takesFencesOfOthers:
            "who was seen by a gateway that was replaced"
        case .recordsForReplacedGateways, .keepsTheFence: "a gateway that was replaced records nothing"
        case .recordsTwice: "are sent a second time"
        case .claimsInTwoSteps: "of 16 that take a pair over"
        case .claimsFromTheLiving, .hidesTheLiving: "a pair whose owner has recorded something"
        case .readsToTheEndAtOnce: "a pair's record is read in parts"
        case .forgetsEndsAtTheMoment, .hidesWhatIsForgotten: "deleting ends of a pair's record"
        case .issuesForOutdatedApps, .keepsScripsForOutdatedApps: "who judged by an older record of the app is given"
        case .spendsBeforeLookingAtTheStrength: "a token weaker than asked"
        case .spendsBeforeItKnowsTheAnswer: "a token whose answer cannot be given"
        case .ignoresNewSIMs: "a new SIM between issue and redeem"
        case .ignoresNewOwners: "a new owner between issue and redeem"
        case .spendsRevokedTokens: "tokens of a revoked binding"
        case .forgetsSpentNames: "the request that spent a token"
        case .keepsNamesOfRefusedRequests: "a request that is refused leaves no name"
        case .sharesNamesBetweenApps, .forgetsNamesAMillisecondEarly: "a name that an app may use once"
        case .takesNamesInTwoSteps: "of 32 that take one name"
        case .countsQuotaInTwoSteps: "of 40 redemptions at once under a quota"
        case .ignoresTheMonth: "a month's quota"
        case .rewritesContracts: "an entry of a contract stays"
        case .countsNumbersInTwoSteps: "of 40 issues at once for one number"
        case .countsNumbersOfAllApps: "tokens of a number are counted by app and day"
        case .deletesNumbersAtTheDay: "deleting counts of numbers"
        case .billsRefusals: "one line for each spent token and none for a refusal"
        case .usesScripsInTwoSteps: "of 32 that use one scrip generation"
        case .countsUnusedInTwoSteps: "of 100 issues at once"
        case .countsSpentTokens, .countsRevokedTokens: "spent and revoked tokens do not count"
        case .forgetsExpiredTokens: "an unspent token counts against its key after it has expired"
        case .countsTheWindowsFirstMoment: "window's first moment"
        case .countsOtherApps, .countsOtherKeys, .usesUpTheScripOfARefusal: "the 30th unused token"
        case .putsOutTheOldest: "unused tokens of one number put out"
        case .putsOutWhatIsStronger: "never puts out one of another assurance"
        case .keepsLeavesOfTokensPutOut: "a leaf whose consent is put out"
        case .keepsConsentsThatBoughtNothing, .deletesConsentsOfTheRedeemed:
            "the consent to a token or code that expired unredeemed"
        case .deletesOldConsents: "a consent of more than 31 days stays"
        case .deletesRedeemedCodesEarly: "pages and codes that nobody redeemed go early"
        case .knowsKeysOfOldOwners: "a device key is familiar"
        case .countsGuessesInTwoSteps, .tellsTheRightGuess: "of 64 guesses at once"
        case .countsGuessesOfAllApps, .countsRightGuesses: "wrong guesses are counted for one app"
        case .countsSMSCodesInTwoSteps: "of 64 SMS codes for one number"
        case .countsRefusedSMSCodes: "no budget of SMS codes is passed"
        case .countsMessagesThatNobodyTook, .takesCodesThatNobodySent: "whose message nobody took"
        case .keepsReplacedSMSCodes, .replacesSMSCodesOfOtherApps: "a newer SMS code ends the one before"
        case .takesSMSCodesOfOtherApps, .takesSMSCodesAtTheirEnd, .spendsSMSCodesTwice: "an SMS code is spent once"
        case .triesSMSCodesInTwoSteps: "of 64 tries of one SMS code"
        case .tellsTheRightSMSCode: "not even the right digits"
        case .mixesSendersUp: "a delivery finds the SMS code"
        case .believesPhonesAboutOtherNumbers, .takesTheFirstReference, .takesOtherBasesOfOtherNumbers:
            "a delivery that may have several references"
        case .deletesSMSCodesAtTheMoment: "deleting SMS codes"
        case .spendsOfOutdatedIssuers, .spendsAnyTokenForAnother: "a token of another app is spent for"
        case .notesSMSUpstreamInTwoSteps: "of 64 numbers that send one text"
        case .believesTheLastSenderOfSMSUpstream, .keepsContestedSMSUpstream: "a text that a second number sends"
        case .takesLateSMSUpstream: "a text counts until the moment of its expiry"
        case .takesSMSUpstreamOfOtherApps, .takesSMSUpstreamOfOtherDevices, .spendsSMSUpstreamWhenAsked:
            "a text is spent once"
        case .spendsSMSUpstreamInTwoSteps: "of 64 that log in by one text"
        case .forgetsTheStrength: "how strongly it was earned"
        case .keepsOldGenerations: "after a rotation the old generation is superseded"
        case .revokesOnlyTheCurrentGeneration: "revoking a family ends all its generations"
        case .storesLateScripsAlive: "a scrip inserted after its binding was revoked"
        case .issuesUnderRevokedBindings: "a token cannot be issued under a binding"
        case .remembersBindingsForever, .believesTheLastRevocation: "a revoked binding is forgotten"
        case .changesRegisterInTwoSteps: "32 changes of one number at once"
        case .keepsDroppedSourceIDs: "an update replaces the whole record"
        case .overwritesApps: "an app that was changed since it was read"
        case .changesAppsInTwoSteps: "of 16 that change one app at once"
        case .believesTheLastUsage: "the latest day of each key"
        case .overwritesClients: "an OpenID client that was changed since it was read"
        case .changesClientsInTwoSteps: "of 16 that change one OpenID client at once"
        case .countsEachClientFromOne: "made anew is another client"
        case .changesImagesOfARefusal: "an OpenID client that was changed since it was read"
        case .dropsImagesThatWereNotNamed: "a client's images are found"
        case .remembersForClientsThatMayNot: "a client that may remember nothing any more"
        case .remembersBesideTheWithdrawal: "is remembered beside the end of that option"
        case .keepsForgottenConsents: "ends beside a page's answer"
        case .endsConsentsOfOthers: "remembered consents are listed and ended for their holder alone"
        case .forgetsUses: "remembered consents are listed and ended for their holder alone"
        case .showsRequestsToOthers, .showsWhatIsDecided: "a backchannel request waits for its holder alone"
        case .exchangesInTwoSteps: "of 32 that exchange one code"
        case .takesAnyKind: "an OpenID credential of another kind"
        case .spendsOverTheQuota: "a billed exchange writes one line"
        case .spendsWhatIsKept: "an exchange that keeps its credential"
        case .forgetsOpenIDWhenRevoking: "a revoked family or binding end OpenID"
        case .billsEachAnswer: "an access token that is answered is billed once"
        case .logsInTwiceByOnePush: "of many pages of one pushed request, one buys a code"
        case .keepsTheFirstFrameAncestors: "an OpenID client is found as it was put last"
        case .enrolsInTwoSteps: "of 32 that enrol one number"
        case .renewsInTwoSteps: "of 32 that spend one refresh token"
        case .changesUIDsInTwoSteps: "of 32 accounts that want one uid"
        case .takesAnyDevice: "app or device key is unknown"
        case .ignoresFreezing: "a frozen face account"
        case .ignoresWhatWasRead: "the binding is another than was read"
        case .keepsFacesOfOldOwners: "a face account ends with its epoch"
        case .keepsFacesOfNobody: "the last one erases the account"
        case .erasesByTheLastCancelling, .erasesUnboundFacesEarly, .erasesWhoCameBack, .erasesFrozenFaces:
            "an account that no app knows stays"
        case .remembersWhoLeft: "an install that remembers an account is known"
        case .sharesGroupsBetweenApps: "a face group is its app's alone"
        case .findsByAnotherAppsYes, .findsFrozenFaces: "who is found in a group is found as this app knows them"
        case .keepsTheYesToOldTerms: "new terms end every yes to being found"
        case .forgetsWhatTheAppSaid: "a login keeps when the app was authorised"
        case .verifiesFrozenFaces: "a face is noted as seen"
        case .keepsFaceLoginsOfOldSIMs: "a replaced SIM ends what a face account has given out"
        case .opensByOldSIMs, .bringsBackLoginsOfOldSIMs: "a login by the new SIM opens a face account again"
        case .tellsNobody: "its devices are told for thirty days"
        case .ignoresRevisionsOfAccounts: "decided by a face account that has changed since"
        case .freezesInTwoSteps: "of 32 changes of one face account"
        case .ignoresRevisionsOfBindings, .countsAuthorisationsFromOne: "an authorisation that was given anew"
        case .comparesBindingsInTwoSteps: "of 32 changes of one binding"
        case .datesUIDsAnew: "since when it has it"
        case .changesGroupsInTwoSteps: "face group's tag and info"
        case .keepsTheYesOfWhoLeaves: "a yes to being found in groups"
        case .erasesClientsFirst: "erasing an app ends its client"
        case .erasesAppsThatStay, .erasesAppsLate: "apps are to be erased"
        case .countsTheEndOfALedgersRange: "lines of the ledger are found by time"
        case .countsOtherAppsLines: "lines of the ledger are counted by day"
        case .forgetsConsents: "the consent that bought a token"
        case .forgetsTheLine, .writesLinesOfRefusedChanges: "a change and its line of the audit log are one"
        case .changesBeforeTheLine, .takesRequestsTwice, .sharesRequestKeys: "a request that has a name"
        case .givesAdminNamesTwice: "an admin's name and credential"
        case .keepsFormerCredentials: "an admin is found by the credential"
        case .givesAppsInTwoSteps: "of 16 apps that an admin makes"
        case .acceptsInvitationsInTwoSteps: "of 16 that accept an invitation"
        case .countsSignInsInTwoSteps: "of 32 attempts to sign in at once"
        case .takesCodesTwice, .takesCodesInTwoSteps: "a code signs in once"
        case .takesAnyPhone, .spendsPendingInTwoSteps, .keepsPending: "what a right password began is finished once"
        case .bindsWithoutSession: "a phone is bound in the session"
        case .keepsSessionsOfTheRevoked, .keepsAccountsOfFormerCredentials: "an admin's sessions end"
        case .countsTheEndOfARange: "lines of the audit log are found"
        case .sendsLinesOnTwice: "lines of the audit log after one"
        case .takesPagesTwice: "a submitted page is kept"
        case .decidesPagesInTwoSteps: "of 16 that decide one page at once"
        case .decidesBeforeTheApp: "a decision, the app and the line"
        case .repeatsPolicies, .takesOldPoliciesForKnown: "a policy is kept when another one held"
        case .findsOtherAppsLogins, .tellsTheFirstStep, .tellsALoginTwice, .findsFormerHolders: "logins are found"
        case .tellsTheLastStep: "a login whose server was answered"
        case .losesLoginsOfAMoment: "logins are told page after page"
        case .listsTracesBackwards: "the events of a trace are found at once"
        case .deletesAtTheMoment: "deleting old events takes only those"
        case .deletesConsentsAtTheMoment: "deleting old consents"
        case .letsTheLedgerBeginEarlier, .keepsOldCounts: "the ledger is shortened to a day"
        case .statesSumsAlone, .sumsTheSameAgain: "however many lines of the ledger are in sums"
        case .sumsInTwoSteps: "of 8 that sum the ledger"
        case .keepsSumsOfGoneDays: "sums of the ledger go with their days"
        case .keepsAskedSubjects, .keepsSMSCodesOfTheErased, .keepsSMSUpstreamOfTheErased, .keepsNumbersOfTheErased,
            .erasesOnlyTheNamedStep, .erasesEvidence, .givesRowsTwice:
            "erasing a subscriber takes everything"
        case .withdrawsFromEveryApp, .leavesPagesOfWithdrawals, .tellsNoAppOfWithdrawals, .forgetsCodesOfWithdrawals:
            "who takes back their consent ends"
        case .advancesAttestedKeysInTwoSteps: "of 64 that show one counter"
        case .takesEqualCounters: "a key's counter is taken once"
        case .revivesAttestedKeys: "an attested key is kept once"
        case .keepsFormerAttestedKeys: "a device key has one attested key"
        case .keepsAttestedKeysOfErasedApps: "erasing an app takes its phones"
        case .logsTwice, .logsAnswersAsReleases: "released numbers and consents come into the log once"
        case .logsReleasesWithPagesAlone: "a number that was released without a page comes into the log"
        case .logsInTwoSteps: "bring the same rows into the log at once"
        case .logsPastWhatWasLeft: "rows that were left for later"
        case .showsConsentsOfFormerHolders: "of each page that a holder agreed on"
        case .showsReleasesOfFormerHolders, .keepsLeavesOfTheErased: "a leaf is shown to its holder"
        case .removesLeavesOfOldRows: "a leaf stays when its row goes"
        case .tellsNothingOfPauses: "attempts to sign in at once no more"
        case .forgetsAppsOfAChange, .countsAppsThatAreGone: "apps that an admin makes at once"
        case .changesTeamsInTwoSteps: "of 16 developers of an app who take"
        case .takesAllAppsFromWhoLeaves, .forgetsInvitations: "an app's team is invited, added and taken off"
        case .sumsLoginsOfLaterHours, .sumsLoginsOverApps: "counts of all apps are summed"
        case .forgetsEarlierLoginCounts, .countsLoginsOfOtherApps, .countsLoginsBackwards, .deletesLoginCountsOfTheHour:
            "steps of logins are counted by app and hour"
        case .withdrawsFromFormerHolders: "takes back nothing of the holder before"
        case .erasesTheNextHolder: "number has another holder by now"
        case .leavesLateWrites: "wrote of an erased subscriber"
        case .exportsFormerHolders: "told of a subscriber is theirs"
        case .ignoresLeases: "an event that was claimed is nobody else's"
        case .keepsDeadLeases: "a lease that has ended gives"
        case .sendsWhatIsStopped: "events are due of apps with a callback"
        case .claimsEventsInTwoSteps: "of 16 that claim events at once"
        case .settlesForOthers: "whose lease has ended changes nothing"
        case .countsBrokenAttempts: "an attempt that was broken off"
        case .replaysForAll: "events are sent once more"
        case .keepsDeadLetters: "old events are given up and deleted"
        case .forgetsTheEvent: "an event is in the outbox exactly when"
        case .tellsOfRefusals: "an event is in the outbox exactly when"
        case .tellsOfRefusedChanges: "a change of an app and its event"
        case .forgetsOnClose: "survives closing and opening again"
        case .answersAfterClose: "after closing everything is unavailable"
        }
    }

    var testDescription: String { rawValue }
}

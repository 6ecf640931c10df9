/// Returns after everything that was handed to the main actor before: it takes its tasks in the order of their arrival.
@MainActor package func mainTurn() async { await Task { @MainActor in }.value }

// OneLogin's SDK, symbol for symbol as its document promises, over Benji. Names, types and codes only: what a login
// does is the shell's business. Begin with `OneLogin.swift`, then `Facade+OneLogin.swift`.

// What an app adds: one call, a page, a token. It joins engine and page and has no rules of its own. It knows no vendor and no
// face login. Begin with `PhoneLogin.swift`.

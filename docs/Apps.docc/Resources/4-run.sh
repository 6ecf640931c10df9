swift test --package-path FirstLogin

mkdir -p FirstLogin/Tests/FirstLoginTests

module benji.example/server

go 1.19

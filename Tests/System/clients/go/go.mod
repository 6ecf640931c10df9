module driver

go 1.19

require benji.example/server v0.0.0

replace benji.example/server => ../../../../Clients/go

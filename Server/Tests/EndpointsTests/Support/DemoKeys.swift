/// Keys made for these tests with `openssl genrsa`. They open nothing.
enum DemoKeys {
    static let appKey = "demo-key-0123456789"

    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC129jzaIS5esUs
        NfbrqY5eRaGpi1H7ghphYahvXFQZVoVyUvDrYkjQUEZYjuG8cThX1qHH2B98SIdU
        Q4E4GGuNsmyugfNCgyLN9eAQ08oJa8C9PcODBa1pBOtCT1yDLli20i4PV8dqobVr
        h/zELSXQvgXir+TSs66Ql3LIPHbult0nFk/VyEF7m0NstJVHqtgwH41AvTDyqvST
        wdIdqkmo7flUJdkAboN3PlpfUQW/AFWN3/mA3JzWngcXxNbQHYO3zwxNdBijfCW7
        m1SdnK4iA8gGV81gP/duXvYatwxQI04+oSeLPowBqElw7KBA3oiNWGoLo6QZd1WT
        SxW5rC/HAgMBAAECggEAG6yR7jCIigUxvhGUOrZ5sMTd3gQSfLiGtSz8Sb3+GkD9
        W7FdciRpujGNEurjVR7RmSRTSCsOV4Zd+aewIU4uB8kQGtoxn3x/LmJtL4JbK2XX
        VbTxbJ3Pjryt5FBZXqkN3PxNAA62jPaAuhVelKfeKk7QbHeh1aJ8PQqe7/OrkZDn
        +JF1uE7nDRmsv0Hr3TvtAv7+yJZ9cfBuYBXAqOQ8dOpsFxGGa/K2CYDQuWo+6Ain
        GMjq3Gmk+qrWcsbkBrpFHH+2T4skXTrVavPOz6UEf4KI0GlccB42SwEcIOMsQbV8
        m+cXen3scocfZnHuyP80aE0kO7JflmycT2vz+kiWyQKBgQDZnl5eQj175tW7EIQt
        9M7Tb05wiVce9GFmkYy9SIxQN7jfEE0eZEcqCIQMT4i5VZ0X5smc+YB1Yqz2VrvO
        kU0e7cNygo2J7fZ223huYh7dYOM95KVc2XUx1NZWg3fNPKlgRRI7MlM1i6ixHhCa
        3sHJRwOMGYpo4sBgED30aSsnuwKBgQDV7uWgrDG9zaLbeqQx2bs7iJNBOpZnnXdD
        gMeIBRHtMa3TQEnXS84sr3gzXBKGn1sZrcLRIsziNvtUh+mREpQGDL0b4Mjv/HeS
        8+vr+H+8qt74yxwmTeRnq5GhQmb6kVbokwRgTmkEJ06vGnsqMeFC0SMUmYyvPoNY
        SV2X2WjZZQKBgEOIhByYTeBPiHBe9cYVPMIcvqjp1iGDEV71OEndY73ZLQP8WRJf
        aD5BGkl/vRxW10N9mX+fZiAHmUlxLSMzsE0y1/6HSUlOkbfc8AjBZnapBJxGgpLH
        4Tivpjx+3ATTGHUJulioi24IgzdD7z9Adb7yzMUDgBKAm9az86YPpRbVAoGBAMr7
        PrjyaMe0Iv+oH76E3heggEd1tVtelthfifJPDTFG36z+5JD4hgjz/FKO260L6j41
        FhGkuU0x6cnMoxpYzEXpNE0NPNona7Ts5z4fq+NxJNperLjTUxHiQe0FufuohxNo
        2tAd1ZpxSUDvGUlxxk/Fa0mSX1+vKqRMCBeZ2tfZAoGADYzi3wNyzCGZE3V4WFHk
        oWjwV7siavz7lbJyjQWAxchJQjXJAudqIxuqo6e1wYeGEjMomDHXW2s+Xxzh+7qU
        oL9URTpGiWOOtSZ1GA4QYWr6dDwIcw0byDQaKdkyAGbWBNzDBy2UyhmZcAuZ0Ey0
        mX/uCv35jiRDx1UwgHr2L7w=
        -----END PRIVATE KEY-----
        """

    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtdvY82iEuXrFLDX266mO
        XkWhqYtR+4IaYWGob1xUGVaFclLw62JI0FBGWI7hvHE4V9ahx9gffEiHVEOBOBhr
        jbJsroHzQoMizfXgENPKCWvAvT3DgwWtaQTrQk9cgy5YttIuD1fHaqG1a4f8xC0l
        0L4F4q/k0rOukJdyyDx27pbdJxZP1chBe5tDbLSVR6rYMB+NQL0w8qr0k8HSHapJ
        qO35VCXZAG6Ddz5aX1EFvwBVjd/5gNyc1p4HF8TW0B2Dt88MTXQYo3wlu5tUnZyu
        IgPIBlfNYD/3bl72GrcMUCNOPqEniz6MAahJcOygQN6IjVhqC6OkGXdVk0sVuawv
        xwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// 1024 bits: too short.
    static let weakPublicKey = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC4GrSSlNFCYa2eqI87tsiWo8c9
        XTllFx+NuLt/hO7NyhJDJ3ZFO+7FqBqhcEa9Uu3AkPNlXga77gY8P44vZYX9uTGt
        qsuT0LXAewGqK5A+X3Q3mur7gKEcAD01FTBODApsii5xlEmmb3ERELJhENJ5qqI/
        TCupDDtdtcSVaneImQIDAQAB
        -----END PUBLIC KEY-----
        """

    /// A self-signed certificate for localhost, good until 2126.
    static let tlsCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUEioa2lxY1muf99lUVATsWO+IsmowCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMjUzNFoYDzIxMjYxMDI4
        MTAyNTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQBaUvw92MiRGkr+ZvmxIB2s7snocZzSWS2x24HQ8eybQGJqfm+nTW+
        fo8mJZ2c1EQeM9O6Le7fAqGsf6NT67VPo2kwZzAdBgNVHQ4EFgQUhGTJ7ypLdiRv
        qvfOTYIZyejuf28wHwYDVR0jBBgwFoAUhGTJ7ypLdiRvqvfOTYIZyejuf28wDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIhAKDWcmMVq1G66Tu9aOQghHevH0UN2tTLUEwGqc1lpeHXAiBovtY1ENpF
        XlXZWIafvRUSguxz4EIpiv+E6/5kuej+AQ==
        -----END CERTIFICATE-----
        """

    static let tlsKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW3keG5eAdxeP+NJM
        n2DZdcRRjAl1ZZBWFf5H5sVucwahRANCAAQBaUvw92MiRGkr+ZvmxIB2s7snocZz
        SWS2x24HQ8eybQGJqfm+nTW+fo8mJZ2c1EQeM9O6Le7fAqGsf6NT67VP
        -----END PRIVATE KEY-----
        """
}

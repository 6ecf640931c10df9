/// Where the digits go in the message that an app's server has sent, as CAMARA's one-time-password-sms writes it.
package enum CodePlaceholder {
    package static let text = "{{code}}"
}

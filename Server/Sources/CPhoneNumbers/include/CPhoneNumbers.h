// Telephone numbers by Google's libphonenumber, behind C functions. No C++ exception leaves them; they keep nothing and
// print nothing.
#ifndef CPHONENUMBERS_H
#define CPHONENUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether libphonenumber knows numbers of a country, named by two letters of ISO 3166-1.
bool phone_numbers_knows_country(const char *country);

// Reads a mobile number of a country and writes it in E.164, country code first, without plus and ended by a zero byte.
//
// `text` is digits, perhaps behind a plus or 00. Without these it begins with a country code, unless `is_national`:
// then it is what people of the country dial. Answers false for a text that is no valid mobile number of this country.
// Of mainland China (CN) it answers any number. The library lacks mobile ranges (149), so the caller decides.
bool phone_numbers_read(const char *text, size_t count, const char *country, bool is_national, char digits[16]);

// Writes a mobile number as numbers of a country look, as phone_numbers_read writes one. Answers false for a country
// without.
bool phone_numbers_example(const char *country, char digits[16]);

#ifdef __cplusplus
}
#endif

#endif

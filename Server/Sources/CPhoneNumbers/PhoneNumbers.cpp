#include "CPhoneNumbers.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <set>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

// The digits of E.164, without the plus.
static bool write(const PhoneNumber &number, char digits[16]) {
    std::string formatted;
    PhoneNumberUtil::GetInstance()->Format(number, PhoneNumberUtil::E164, &formatted);
    if (formatted.size() < 2 || formatted.size() > 16 || formatted[0] != '+') return false;
    std::memcpy(digits, formatted.c_str() + 1, formatted.size());
    return true;
}

bool phone_numbers_knows_country(const char *country) try {
    std::set<std::string> regions;
    PhoneNumberUtil::GetInstance()->GetSupportedRegions(&regions);
    return regions.count(country) == 1;
} catch (...) {
    return false;
}

bool phone_numbers_read(const char *text, size_t count, const char *country, bool is_national, char digits[16]) try {
    std::string number(text, count);
    bool is_international = !is_national;
    if (number.compare(0, 1, "+") == 0) {
        number.erase(0, 1);
        is_international = true;
    } else if (number.compare(0, 2, "00") == 0) {
        number.erase(0, 2);
        is_international = true;
    }
    // The library would read words, extensions and punctuation too. E.164 has fifteen digits, and no country dials more.
    if (number.empty() || number.size() > 16 || number.find_first_not_of("0123456789") != std::string::npos) return false;
    const PhoneNumberUtil *library = PhoneNumberUtil::GetInstance();
    PhoneNumber parsed;
    const auto result = is_international ? library->Parse("+" + number, "ZZ", &parsed)
                                         : library->Parse(number, country, &parsed);
    if (result != PhoneNumberUtil::NO_PARSING_ERROR) return false;
    // Valid, not merely possible: a digit too few can still be as long as some other number of the country.
    if (!library->IsValidNumberForRegion(parsed, country)) return false;
    const auto type = library->GetNumberType(parsed);
    if (type != PhoneNumberUtil::MOBILE && type != PhoneNumberUtil::FIXED_LINE_OR_MOBILE) return false;
    return write(parsed, digits);
} catch (...) {
    return false;
}

bool phone_numbers_example(const char *country, char digits[16]) try {
    const PhoneNumberUtil *library = PhoneNumberUtil::GetInstance();
    PhoneNumber example;
    if (!library->GetExampleNumberForType(country, PhoneNumberUtil::MOBILE, &example)) return false;
    return write(example, digits);
} catch (...) {
    return false;
}

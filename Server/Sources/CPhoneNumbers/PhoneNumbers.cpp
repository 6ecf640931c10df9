#include "CPhoneNumbers.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstdlib>
#include <cstring>
#include <list>
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

// Whether a country has its country code alone. Then a number with that code is one of the country, if it is any.
static bool is_alone(const char *country) {
    const PhoneNumberUtil *library = PhoneNumberUtil::GetInstance();
    std::list<std::string> regions;
    library->GetRegionCodesForCountryCallingCode(library->GetCountryCodeForRegion(country), &regions);
    return regions.size() == 1;
}

// Reads eleven digits behind 86 without parsing, which takes longer than all the rest. Parsing would only remove the 0
// of a long-distance call and the codes of other carriers' networks: 11, 12 and 179 with further digits.
static bool read_plain(const std::string &number, const char *country, PhoneNumber *parsed) {
    if (std::strcmp(country, "CN") != 0 || number.size() != 13 || number.compare(0, 3, "861") != 0) return false;
    if (number[3] < '3' || number.compare(2, 3, "179") == 0) return false;
    parsed->set_country_code(86);
    parsed->set_national_number(std::strtoull(number.c_str() + 2, nullptr, 10));
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
    // The library would read words, extensions and punctuation too. E.164 has fifteen digits, and no country dials
    // more.
    if (number.empty() || number.size() > 16 || number.find_first_not_of("0123456789") != std::string::npos)
        return false;
    const PhoneNumberUtil *library = PhoneNumberUtil::GetInstance();
    PhoneNumber parsed;
    if (!is_international || !read_plain(number, country, &parsed)) {
        const auto result = is_international ? library->Parse("+" + number, "ZZ", &parsed)
                                             : library->Parse(number, country, &parsed);
        if (result != PhoneNumberUtil::NO_PARSING_ERROR) return false;
    }
    if (parsed.country_code() != library->GetCountryCodeForRegion(country)) return false;
    if (std::strcmp(country, "CN") == 0) return write(parsed, digits);
    // Valid, not merely possible: a number that lacks a digit can have the length of another. Where countries share a
    // code it must be this one's. Elsewhere any valid number is, and asking would determine its type twice.
    if (!is_alone(country) && !library->IsValidNumberForRegion(parsed, country)) return false;
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

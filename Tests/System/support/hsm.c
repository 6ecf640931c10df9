/* A PKCS#11 module between the program and SoftHSM that counts logins and does what SoftHSM cannot be brought to do.
 *
 *   HSM_LOGINS   file to which each login writes a line
 *   HSM_FAULT    final-try, locked, no-gcm, removed or extractable; none if it is not set
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "/usr/include/p11-kit-1/p11-kit/pkcs11.h"

static CK_FUNCTION_LIST *real, list;

static int has(const char *fault) {
    const char *set = getenv("HSM_FAULT");
    return set && strcmp(set, fault) == 0;
}

static CK_RV get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info) {
    CK_RV code = real->C_GetTokenInfo(slot, info);
    if (has("final-try")) info->flags |= CKF_USER_PIN_FINAL_TRY;
    return code;
}

static CK_RV get_mechanism_info(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info) {
    return has("no-gcm") && type == CKM_AES_GCM ? CKR_MECHANISM_INVALID : real->C_GetMechanismInfo(slot, type, info);
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, unsigned char *pin, CK_ULONG length) {
    const char *path = getenv("HSM_LOGINS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fputs("login\n", file);
        fclose(file);
    }
    return has("locked") ? CKR_PIN_LOCKED : real->C_Login(session, user, pin, length);
}

static CK_RV decrypt_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key) {
    return has("removed") ? CKR_DEVICE_REMOVED : real->C_DecryptInit(session, mechanism, key);
}

static CK_RV get_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes,
                                 CK_ULONG count) {
    CK_RV code = real->C_GetAttributeValue(session, object, attributes, count);
    for (CK_ULONG i = 0; has("extractable") && i < count; i++)
        if (attributes[i].type == CKA_EXTRACTABLE) *(CK_BBOOL *)attributes[i].pValue = CK_TRUE;
    return code;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **found) {
    void *module = dlopen("/usr/lib/softhsm/libsofthsm2.so", RTLD_NOW);
    CK_C_GetFunctionList get = module ? (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList") : NULL;
    if (!get || get(&real) != CKR_OK) return CKR_GENERAL_ERROR;
    list = *real;
    list.C_GetTokenInfo = get_token_info;
    list.C_GetMechanismInfo = get_mechanism_info;
    list.C_Login = login;
    list.C_DecryptInit = decrypt_init;
    list.C_GetAttributeValue = get_attribute_value;
    *found = &list;
    return CKR_OK;
}

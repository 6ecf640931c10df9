// The files are named here one by one, because a directive cannot stand in a macro. A test compares this list with the
// folder.
#include "CCatalogueTables.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char camara[] = {
#embed "../Catalogue/Tables/camara.tsv"
};
static const unsigned char cm_phone[] = {
#embed "../Catalogue/Tables/cm_phone.tsv"
};
static const unsigned char cm_sdk[] = {
#embed "../Catalogue/Tables/cm_sdk.tsv"
};
static const unsigned char cm_sdk_5_9[] = {
#embed "../Catalogue/Tables/cm_sdk_5_9.tsv"
};
static const unsigned char cm_verify[] = {
#embed "../Catalogue/Tables/cm_verify.tsv"
};
static const unsigned char device[] = {
#embed "../Catalogue/Tables/device.tsv"
};
static const unsigned char geyan[] = {
#embed "../Catalogue/Tables/geyan.tsv"
};
static const unsigned char geyan_3[] = {
#embed "../Catalogue/Tables/geyan_3.tsv"
};
static const unsigned char geyan_3_biz[] = {
#embed "../Catalogue/Tables/geyan_3_biz.tsv"
};
static const unsigned char geyan_biz[] = {
#embed "../Catalogue/Tables/geyan_biz.tsv"
};
static const unsigned char geyan_cm[] = {
#embed "../Catalogue/Tables/geyan_cm.tsv"
};
static const unsigned char geyan_ct[] = {
#embed "../Catalogue/Tables/geyan_ct.tsv"
};
static const unsigned char geyan_cu[] = {
#embed "../Catalogue/Tables/geyan_cu.tsv"
};
static const unsigned char geyan_gy_get_pn[] = {
#embed "../Catalogue/Tables/geyan_gy_get_pn.tsv"
};
static const unsigned char onelogin[] = {
#embed "../Catalogue/Tables/onelogin.tsv"
};
static const unsigned char onelogin_2[] = {
#embed "../Catalogue/Tables/onelogin_2.tsv"
};
static const unsigned char onelogin_check_phone[] = {
#embed "../Catalogue/Tables/onelogin_check_phone.tsv"
};
static const unsigned char onelogin_cocoa[] = {
#embed "../Catalogue/Tables/onelogin_cocoa.tsv"
};
static const unsigned char onepass[] = {
#embed "../Catalogue/Tables/onepass.tsv"
};
static const unsigned char onepass_check_gateway[] = {
#embed "../Catalogue/Tables/onepass_check_gateway.tsv"
};
static const unsigned char openid[] = {
#embed "../Catalogue/Tables/openid.tsv"
};
static const unsigned char superid[] = {
#embed "../Catalogue/Tables/superid.tsv"
};
static const unsigned char tyrz_authtype[] = {
#embed "../Catalogue/Tables/tyrz_authtype.tsv"
};
static const unsigned char tyrz_platform[] = {
#embed "../Catalogue/Tables/tyrz_platform.tsv"
};
static const unsigned char tyrz_sdk[] = {
#embed "../Catalogue/Tables/tyrz_sdk.tsv"
};

#define TABLE(name) {#name, name, sizeof name}

static const struct catalogue_table tables[] = {
    TABLE(camara),
    TABLE(cm_phone),
    TABLE(cm_sdk),
    TABLE(cm_sdk_5_9),
    TABLE(cm_verify),
    TABLE(device),
    TABLE(geyan),
    TABLE(geyan_3),
    TABLE(geyan_3_biz),
    TABLE(geyan_biz),
    TABLE(geyan_cm),
    TABLE(geyan_ct),
    TABLE(geyan_cu),
    TABLE(geyan_gy_get_pn),
    TABLE(onelogin),
    TABLE(onelogin_2),
    TABLE(onelogin_check_phone),
    TABLE(onelogin_cocoa),
    TABLE(onepass),
    TABLE(onepass_check_gateway),
    TABLE(openid),
    TABLE(superid),
    TABLE(tyrz_authtype),
    TABLE(tyrz_platform),
    TABLE(tyrz_sdk),
};

size_t catalogue_table_count(void) { return sizeof tables / sizeof tables[0]; }

struct catalogue_table catalogue_table(size_t number) { return tables[number]; }

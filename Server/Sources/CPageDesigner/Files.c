// The designer's files, named here one by one, because a directive cannot stand in a macro. A test compares this list
// with the folders.
#include "CPageDesigner.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char designer_css[] = {
#embed "../PageDesigner/Resources/designer.css"
};
static const unsigned char designer_html[] = {
#embed "../PageDesigner/Resources/designer.html"
};
static const unsigned char designer_js[] = {
#embed "../PageDesigner/Resources/designer.js"
};
static const unsigned char dom_js[] = {
#embed "../PageDesigner/Resources/dom.js"
};
static const unsigned char form_js[] = {
#embed "../PageDesigner/Resources/form.js"
};
static const unsigned char json_js[] = {
#embed "../PageDesigner/Resources/json.js"
};
static const unsigned char preview_js[] = {
#embed "../PageDesigner/Resources/preview.js"
};
static const unsigned char store_js[] = {
#embed "../PageDesigner/Resources/store.js"
};
static const unsigned char tokens_css[] = {
#embed "../ServerHTTP/tokens.css"
};
static const unsigned char words_js[] = {
#embed "../PageDesigner/Resources/words.js"
};
static const unsigned char benji_page_js[] = {
#embed "../../../WebAssembly/benji-page.js"
};
static const unsigned char examples_bottom_sheet_json[] = {
#embed "../../../Examples/Pages/bottom-sheet.json"
};
static const unsigned char examples_branded_json[] = {
#embed "../../../Examples/Pages/branded.json"
};
static const unsigned char examples_dark_json[] = {
#embed "../../../Examples/Pages/dark.json"
};
static const unsigned char examples_editorial_json[] = {
#embed "../../../Examples/Pages/editorial.json"
};
static const unsigned char examples_landscape_json[] = {
#embed "../../../Examples/Pages/landscape.json"
};
static const unsigned char examples_minimal_json[] = {
#embed "../../../Examples/Pages/minimal.json"
};
static const unsigned char examples_photo_json[] = {
#embed "../../../Examples/Pages/photo.json"
};
static const unsigned char examples_popup_json[] = {
#embed "../../../Examples/Pages/popup.json"
};
static const unsigned char pictures_aurora_wide_svg[] = {
#embed "../../../Examples/Pages/Pictures/aurora-wide.svg"
};
static const unsigned char pictures_aurora_svg[] = {
#embed "../../../Examples/Pages/Pictures/aurora.svg"
};
static const unsigned char pictures_bird_svg[] = {
#embed "../../../Examples/Pages/Pictures/bird.svg"
};
static const unsigned char pictures_box_set_svg[] = {
#embed "../../../Examples/Pages/Pictures/box-set.svg"
};
static const unsigned char pictures_box_svg[] = {
#embed "../../../Examples/Pages/Pictures/box.svg"
};
static const unsigned char pictures_chevron_svg[] = {
#embed "../../../Examples/Pages/Pictures/chevron.svg"
};
static const unsigned char pictures_circles_wide_svg[] = {
#embed "../../../Examples/Pages/Pictures/circles-wide.svg"
};
static const unsigned char pictures_circles_svg[] = {
#embed "../../../Examples/Pages/Pictures/circles.svg"
};
static const unsigned char pictures_column_wide_svg[] = {
#embed "../../../Examples/Pages/Pictures/column-wide.svg"
};
static const unsigned char pictures_column_svg[] = {
#embed "../../../Examples/Pages/Pictures/column.svg"
};
static const unsigned char pictures_controller_svg[] = {
#embed "../../../Examples/Pages/Pictures/controller.svg"
};
static const unsigned char pictures_cross_svg[] = {
#embed "../../../Examples/Pages/Pictures/cross.svg"
};
static const unsigned char pictures_cup_svg[] = {
#embed "../../../Examples/Pages/Pictures/cup.svg"
};
static const unsigned char pictures_dusk_wide_svg[] = {
#embed "../../../Examples/Pages/Pictures/dusk-wide.svg"
};
static const unsigned char pictures_dusk_svg[] = {
#embed "../../../Examples/Pages/Pictures/dusk.svg"
};
static const unsigned char pictures_gazette_svg[] = {
#embed "../../../Examples/Pages/Pictures/gazette.svg"
};
static const unsigned char pictures_glow_svg[] = {
#embed "../../../Examples/Pages/Pictures/glow.svg"
};
static const unsigned char pictures_halves_wide_svg[] = {
#embed "../../../Examples/Pages/Pictures/halves-wide.svg"
};
static const unsigned char pictures_halves_svg[] = {
#embed "../../../Examples/Pages/Pictures/halves.svg"
};
static const unsigned char pictures_leaf_svg[] = {
#embed "../../../Examples/Pages/Pictures/leaf.svg"
};
static const unsigned char pictures_summit_svg[] = {
#embed "../../../Examples/Pages/Pictures/summit.svg"
};
static const unsigned char pictures_wave_svg[] = {
#embed "../../../Examples/Pages/Pictures/wave.svg"
};
// scripts/lib/build-wasm.sh makes it before the server is built; without it everything else works.
#if __has_embed("../../../.build-wasm/benji-page.wasm")
static const unsigned char engine[] = {
#embed "../../../.build-wasm/benji-page.wasm"
};
#define HAS_ENGINE 1
#endif

static const struct page_designer_file files[] = {
    {"designer.css", designer_css, sizeof designer_css},
    {"designer.html", designer_html, sizeof designer_html},
    {"designer.js", designer_js, sizeof designer_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"form.js", form_js, sizeof form_js},
    {"json.js", json_js, sizeof json_js},
    {"preview.js", preview_js, sizeof preview_js},
    {"store.js", store_js, sizeof store_js},
    {"tokens.css", tokens_css, sizeof tokens_css},
    {"words.js", words_js, sizeof words_js},
    {"benji-page.js", benji_page_js, sizeof benji_page_js},
    {"examples/bottom-sheet.json", examples_bottom_sheet_json, sizeof examples_bottom_sheet_json},
    {"examples/branded.json", examples_branded_json, sizeof examples_branded_json},
    {"examples/dark.json", examples_dark_json, sizeof examples_dark_json},
    {"examples/editorial.json", examples_editorial_json, sizeof examples_editorial_json},
    {"examples/landscape.json", examples_landscape_json, sizeof examples_landscape_json},
    {"examples/minimal.json", examples_minimal_json, sizeof examples_minimal_json},
    {"examples/photo.json", examples_photo_json, sizeof examples_photo_json},
    {"examples/popup.json", examples_popup_json, sizeof examples_popup_json},
    {"pictures/aurora-wide.svg", pictures_aurora_wide_svg, sizeof pictures_aurora_wide_svg},
    {"pictures/aurora.svg", pictures_aurora_svg, sizeof pictures_aurora_svg},
    {"pictures/bird.svg", pictures_bird_svg, sizeof pictures_bird_svg},
    {"pictures/box-set.svg", pictures_box_set_svg, sizeof pictures_box_set_svg},
    {"pictures/box.svg", pictures_box_svg, sizeof pictures_box_svg},
    {"pictures/chevron.svg", pictures_chevron_svg, sizeof pictures_chevron_svg},
    {"pictures/circles-wide.svg", pictures_circles_wide_svg, sizeof pictures_circles_wide_svg},
    {"pictures/circles.svg", pictures_circles_svg, sizeof pictures_circles_svg},
    {"pictures/column-wide.svg", pictures_column_wide_svg, sizeof pictures_column_wide_svg},
    {"pictures/column.svg", pictures_column_svg, sizeof pictures_column_svg},
    {"pictures/controller.svg", pictures_controller_svg, sizeof pictures_controller_svg},
    {"pictures/cross.svg", pictures_cross_svg, sizeof pictures_cross_svg},
    {"pictures/cup.svg", pictures_cup_svg, sizeof pictures_cup_svg},
    {"pictures/dusk-wide.svg", pictures_dusk_wide_svg, sizeof pictures_dusk_wide_svg},
    {"pictures/dusk.svg", pictures_dusk_svg, sizeof pictures_dusk_svg},
    {"pictures/gazette.svg", pictures_gazette_svg, sizeof pictures_gazette_svg},
    {"pictures/glow.svg", pictures_glow_svg, sizeof pictures_glow_svg},
    {"pictures/halves-wide.svg", pictures_halves_wide_svg, sizeof pictures_halves_wide_svg},
    {"pictures/halves.svg", pictures_halves_svg, sizeof pictures_halves_svg},
    {"pictures/leaf.svg", pictures_leaf_svg, sizeof pictures_leaf_svg},
    {"pictures/summit.svg", pictures_summit_svg, sizeof pictures_summit_svg},
    {"pictures/wave.svg", pictures_wave_svg, sizeof pictures_wave_svg},
#ifdef HAS_ENGINE
    {"benji-page.wasm", engine, sizeof engine},
#endif
};

size_t page_designer_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_designer_file page_designer_file(size_t number) { return files[number]; }

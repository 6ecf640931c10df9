// The current tab may be beyond the edge of a narrow window.
for (const tab of document.querySelectorAll("nav [aria-current=page]"))
  tab.scrollIntoView({ inline: "center", block: "nearest" });

// Without this script the pages do the same, but for copying and for sending a picture.

// A picture goes as base64 in the form.
for (const input of document.querySelectorAll("[data-base64]")) {
  input.addEventListener("change", () => {
    const target = input.form.elements[input.dataset.base64];
    const [file] = input.files;
    target.value = "";
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => { target.value = reader.result.replace(/^[^,]*,/, ""); };
    reader.readAsDataURL(file);
  });
}

// Buttons that copy the text before them. Without a script they stay hidden.
function offerCopies(place = document) {
  for (const button of place.querySelectorAll(".copy")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".copy");
  if (!button) return;
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  const word = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = word; }, 2000);
});

offerCopies();


// On paper nothing can be opened: what is folded away is unfolded while the page is printed.
const paper = window.matchMedia("print");

export function unfoldOnPaper(): void {
  let opened: HTMLDetailsElement[] = [];
  const change = () => {
    if (paper.matches) {
      opened = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
      for (const one of opened) one.open = true;
    } else {
      for (const one of opened) one.open = false;
      opened = [];
    }
  };
  paper.addEventListener("change", change);
}

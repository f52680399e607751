// Runs before the first paint, so that the page never appears in the wrong theme. `src/ui/theme.ts` writes the choice.
try {
  const theme = localStorage.getItem('platen-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that blocks storage follows the theme of the system.
}

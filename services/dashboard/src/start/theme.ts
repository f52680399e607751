/**
 * Applies the stored theme, which `src/ui/theme.ts` writes. It is a script inside of the HTML, so that the page never
 * appears in the wrong theme.
 */
try {
  const theme = localStorage.getItem('platen-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that blocks storage follows the theme of the system.
}

import { chromiumPath } from './chromium.ts'

/** @throws in CI without a browser, where skipped tests would go unnoticed. */
export default function requireChromium(): void {
  if (chromiumPath) return
  const message = 'The tests of the dashboard need Chromium: install the package `chromium`, or set PLATEN_CHROMIUM.'
  if (process.env.CI) throw new Error(message)
  console.warn(`${message} They are skipped.`)
}

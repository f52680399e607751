/** What axe finds on a page or in its open dialog, in every theme and width. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** The only ones that depend on the theme. Those of the width follow. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

const NARROW_RULES = ['target-size', 'scrollable-region-focusable']

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** The size of a screen of 1280 px at a zoom of 400 %. */
export const NARROW = { width: 320, height: 800 }

interface Variant {
  name: string
  size: typeof WIDE
  media: NonNullable<Parameters<Page['emulateMedia']>[0]>
  rules: string[]
}

const inEachTheme = (size: typeof WIDE): Variant[] => [
  { name: 'light', size, media: { colorScheme: 'light', forcedColors: 'none' }, rules: RULES },
  { name: 'dark', size, media: { colorScheme: 'dark' }, rules: COLOR_RULES },
  { name: 'forced colors', size, media: { colorScheme: 'light', forcedColors: 'active' }, rules: COLOR_RULES },
]

/** Variants of a page: on narrow screens, its elements have the same names, roles and colors. */
const PAGE: Variant[] = [
  ...inEachTheme(WIDE),
  { name: '320 px', size: NARROW, media: { forcedColors: 'none' }, rules: NARROW_RULES },
]
const NARROW_PART = inEachTheme(NARROW)

interface Checked {
  /** A selector; the rest of the page is not checked. */
  part?: string
  /** For what is the same or exists only on narrow screens. */
  isNarrow?: boolean
}

/** Leaves the page wide and light. */
export async function expectAccessible(
  page: Page,
  name: string,
  { part = 'html', isNarrow = false }: Checked = {},
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const variant of isNarrow ? NARROW_PART : PAGE) {
    await page.setViewportSize(variant.size)
    await page.emulateMedia(variant.media)
    const violations = await findViolations(page, part, variant.rules)
    found.push(...violations.map((violation) => `${name}, ${variant.name}: ${violation}`))
  }
  if (part === 'html') {
    await page.setViewportSize(PHONE)
    found.push(...(await findCut(page)).map((cut) => `${name}, ${PHONE.width} px: ${cut}`))
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  expect(found).toEqual([])
}

const findViolations = (page: Page, part: string, runOnly: string[]) =>
  page.evaluate(
    async ({ part, runOnly }) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(part, {
        runOnly,
        resultTypes: ['violations'],
        preload: false,
      })
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
      const { scrollWidth } = document.documentElement
      return scrollWidth > innerWidth ? [...found, `the page is ${scrollWidth} px wide`] : found
    },
    { part, runOnly },
  )

/** Texts may end in "…" in columns that have the rest of the width, but not in narrow ones. */
const CUT_WIDTH_MIN = 120

/** What phones do not show of tables: headings, narrow cells, and controls beyond the edge. */
const findCut = (page: Page) =>
  page.evaluate((widthMin) => {
    const cells = [...document.querySelectorAll('main :is(th, td)')]
    const cut = cells
      .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth)
      .filter((cell) => cell.localName === 'th' || cell.clientWidth < widthMin)
      .map((cell) => `${cell.localName} of ${cell.clientWidth} px is cut: ${cell.textContent}`)
    const controls = [...document.querySelectorAll('main td :is(a, button, input, select)')]
    const outside = controls
      .filter((control) => {
        const { left, right } = control.getBoundingClientRect()
        // A link is a text that may end in "…".
        return (control.localName === 'a' ? left : right) > innerWidth
      })
      .map((control) => `outside: ${control.ariaLabel ?? control.textContent}`)
    return [...cut, ...outside]
  }, CUT_WIDTH_MIN)

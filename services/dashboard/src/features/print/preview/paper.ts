import type { Printer } from '../../../api/resources.ts'

/** Papers are measured in tenths of a millimetre. */
export const POINTS_PER_TENTH = 72 / 254

/** In points. A roll has no height. */
export interface Paper {
  width: number
  height: number | null
}

/** @returns undefined if the printer uses its own paper, or does not say how large it is. */
export function findPaper(
  printer: Pick<Printer, 'customPapers' | 'capabilities'> | undefined,
  name: string | null | undefined,
): Paper | undefined {
  if (!printer || !name) return undefined
  const custom = printer.customPapers.find((paper) => paper.name === name)
  const [width, height] = custom ? [custom.width, custom.height] : (printer.capabilities?.papers[name] ?? [])
  return width ? { width: width * POINTS_PER_TENTH, height: height ? height * POINTS_PER_TENTH : null } : undefined
}

import type { Printer } from '../api/resources.ts'

/** Papers are measured in tenths of a millimetre. */
const POINTS = 72 / 254

/** @returns points; undefined if the printer uses its own paper, or does not say how large it is. */
export function findPaper(
  printer: Pick<Printer, 'customPapers' | 'capabilities'> | undefined,
  name: string | null | undefined,
): { width: number; height: number | null } | undefined {
  if (!printer || !name) return undefined
  const custom = printer.customPapers.find((paper) => paper.name === name)
  const [width, height] = custom ? [custom.width, custom.height] : (printer.capabilities?.papers[name] ?? [])
  return width ? { width: width * POINTS, height: height ? height * POINTS : null } : undefined
}

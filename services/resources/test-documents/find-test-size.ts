import { A4 } from './make-pdf.ts'

const MM = 72 / 25.4

/** The fields of a printer of the API that decide. Sizes are in tenths of a millimetre. */
interface PrinterPapers {
  capabilities?: { papers?: Record<string, (number | null)[]> } | null
  customPapers: { name: string; width: number; height: number }[]
  defaultOptions: { paper?: string | null }
}

/**
 * @returns the paper for a test page, in points: the default of the printer in Platen, A4 if the printer has it, or its
 *   first paper.
 */
export function findTestSize({ capabilities, customPapers, defaultOptions }: PrinterPapers): typeof A4 {
  const papers = new Map(Object.entries(capabilities?.papers ?? {}))
  for (const { name, width, height } of customPapers) papers.set(name, [width, height])
  const isA4 = ([width, height]: (number | null)[]) => width === 2100 && height === 2970
  const [width, height] =
    papers.get(defaultOptions.paper ?? '') ??
    [...papers.values()].toSorted((a, b) => Number(isA4(b)) - Number(isA4(a)))[0] ??
    []
  return width && height ? { width: (width / 10) * MM, height: (height / 10) * MM } : A4
}

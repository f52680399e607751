/** What an image of a job can be printed on. Pure. Reference: docs/reference/print-jobs.md#images. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { PrinterFacts } from '@platen/resources/resolve-options.ts'

/** The papers of a document without a paper. */
const USUAL_PAPERS = ['A4', 'Letter']

/** Printers report up to some hundred papers, few of which have the size of an image. */
const PAPERS_MAX = 100

/**
 * The papers are that of the job, or all papers of the printer, the usual one first. The resolutions are that of the
 * job, or all of the printer.
 *
 * @param options the effective ones.
 */
export function toSheets({ paper, dpi }: JsonObject, { capabilities, customPapers }: PrinterFacts) {
  const sizes = [
    ...capabilities.papers.map(({ name, size }) => ({ name, width: size?.width, height: size?.height })),
    ...customPapers,
  ]
  const chosen =
    paper === undefined ? sizes.toSorted(byUse) : sizes.filter(({ name }) => name === toName(paper)).slice(-1)
  const dpis = dpi === undefined ? capabilities.dpis : [String(dpi)]
  return {
    papers: chosen.flatMap(({ width, height }) => (width ? [{ width, height }] : [])).slice(0, PAPERS_MAX),
    dpis: dpis.flatMap((one) => /^(\d+)x\1$/.exec(one)?.[1] ?? []).map(Number),
  }
}

const byUse = (one: { name: string }, other: { name: string }) =>
  Number(USUAL_PAPERS.includes(other.name)) - Number(USUAL_PAPERS.includes(one.name))

/** A custom paper has its size beside its name. */
const toName = (paper: JsonValue) =>
  typeof paper === 'object' && paper !== null && 'name' in paper ? paper.name : paper

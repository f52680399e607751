/**
 * Decides which layers are printed. A document can show a layer on the screen alone or on paper alone: its layers have
 * usages, which its configuration applies to events (`/AS`). Filters of CUPS and printers ignore events, and PDFium
 * applies usages without them, so the states for paper are written into the configuration, and usages are removed.
 * Reference: ISO 32000-1, section 8.11.4; docs/reference/print-jobs.md#pdf.
 */
import type { DocumentWarning } from '../spooler.ts'
import { type Value, WrittenObjects } from './written-objects.ts'

export interface Layers {
  /** The document with other states; undefined if all programs print the same layers. */
  changed?: Buffer
  warnings: DocumentWarning[]
}

const USES = ['Print', 'View'] as const

/** @param pdf written by `saveDocument` with `SAVE.COMPLETE`. */
export function setLayersForPaper(pdf: Buffer): Layers {
  if (!USES.some((use) => pdf.includes(`/${use}State`))) return { warnings: [] }
  try {
    return decide(new WrittenObjects(pdf))
  } catch {
    return { warnings: [toWarning('could not be read')] }
  }
}

const toWarning = (cause: string): DocumentWarning => ({
  reason: 'layers-uncertain',
  message: `The document has layers for the screen or for paper whose use ${cause}. Layers can be missing or printed in error.`,
})

function decide(objects: WrittenObjects): Layers {
  const properties = objects.get(objects.root, 'OCProperties')
  const configuration = objects.get(properties, 'D')
  if (!configuration) return { warnings: [] }
  const list = (value: Value | undefined, name: string) =>
    (objects.get(value, name)?.items ?? []).flatMap(({ reference }) => reference ?? [])
  const [on, off] = [new Set(list(configuration, 'ON')), new Set(list(configuration, 'OFF'))]
  const isOnByDefault = objects.get(configuration, 'BaseState')?.name !== 'OFF'

  /** @returns the layers whose usages the configuration applies to an event. */
  function findApplied(use: string): Set<number> {
    const applications = (objects.get(configuration, 'AS')?.items ?? []).map((item) => objects.resolve(item))
    return new Set(
      applications
        .filter((one) => objects.get(one, 'Event')?.name === use)
        .filter((one) => objects.get(one, 'Category')?.items?.some((item) => objects.resolve(item)?.name === use))
        .flatMap((one) => list(one, 'OCGs')),
    )
  }

  const [printed, viewed] = [findApplied('Print'), findApplied('View')]
  let [isChanged, isUncertain] = [false, false]
  for (const layer of new Set(list(properties, 'OCGs'))) {
    const group = objects.resolve({ object: 0, start: 0, end: 0, reference: layer })
    const usage = objects.get(group, 'Usage')
    const [print, view] = USES.map((use) => objects.get(objects.get(usage, use), `${use}State`)?.name)
    if (!group || (print === undefined && view === undefined)) continue
    const own = off.has(layer) ? 'OFF' : on.has(layer) || isOnByDefault ? 'ON' : 'OFF'
    const state = printed.has(layer) ? (print ?? own) : own
    const shown = viewed.has(layer) ? (view ?? own) : own
    if (print !== undefined && print !== state) isUncertain = true
    if ([own, shown, print ?? view].every((one) => one === state)) continue
    isChanged = true
    for (const states of [on, off]) states.delete(layer)
    if (state === 'OFF') off.add(layer)
    else on.add(layer)
    objects.replace(group, `<< ${objects.write(group, ['Usage'])} >>`)
  }
  if (isChanged) {
    const references = (layers: Set<number>) => [...layers].map((layer) => `${layer} 0 R`).join(' ')
    const others = objects.write(configuration, ['AS', 'ON', 'OFF'])
    objects.replace(configuration, `<< ${others} /ON [${references(on)}] /OFF [${references(off)}] >>`)
  }
  return {
    ...(isChanged && { changed: objects.update() }),
    warnings: isUncertain ? [toWarning('is not applied by its configuration')] : [],
  }
}

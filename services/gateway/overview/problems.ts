import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Problem } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { AlertKindName } from '@platen/resources/alert-kinds.ts'
import { ALERT_TEXTS } from '@platen/resources/alert-texts.ts'
import { fillIn } from '@platen/resources/explain/texts.ts'
import { shorten } from '@platen/resources/explain/to-facts.ts'
import { type Entry, toEntry } from './entry.ts'

/**
 * What alerts report about computers, printers and destinations. A device that jobs wait for has its entry already, and
 * a printer of an offline computer shows what it reported before. The problem of a destination has its id and name in
 * the place of those of a printer.
 */
export function describeProblems(problems: Problem[], waiting: Entry[]): Entry[] {
  const named = new Set(waiting.flatMap(({ computerId, printerId }) => [computerId, printerId]))
  const offline = new Set(
    problems.filter(({ kind }) => kind === 'computer_offline').map(({ computerId }) => computerId),
  )
  return problems
    .filter(({ kind, computerId, printerId }) =>
      printerId === ''
        ? kind !== 'computer_offline' || !named.has(computerId)
        : !offline.has(computerId) && !named.has(printerId),
    )
    .map(({ kind, computerId, computerName, printerId, printerName, since, detail }) =>
      toEntry({
        kind: toKind({ kind, printerId }),
        code: kind,
        text: fillIn(
          ALERT_TEXTS[kind as AlertKindName].problem({ since: since ? timestampDate(since) : null, jobs: 0, detail }),
          { printer: shorten(printerName), computer: shorten(computerName) },
          detail,
        ),
        [`${toKind({ kind, printerId })}Id`]: printerId || computerId,
      }),
    )
}

function toKind({ kind, printerId }: Pick<Problem, 'kind' | 'printerId'>) {
  if (kind === 'destination_unavailable') return 'destination'
  return printerId ? 'printer' : 'computer'
}

import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { toShownState } from '../../ipp/job-states.ts'

/** Copied by hand from docs/reference/ipp.md#job-states. */
test.each<[state: string, reasons: string[], enabled: boolean, shown: number, keywords: string[]]>([
  ['queued', [], true, 3, ['none']],
  ['queued', [], false, 4, ['printer-stopped']],
  ['queued', ['held'], true, 4, ['held']],
  ['sent', [], true, 5, ['job-outgoing']],
  ['received', [], true, 5, ['job-outgoing']],
  ['printing', [], true, 5, ['job-printing']],
  ['printing', ['media-empty'], true, 6, ['job-printing', 'media-empty']],
  ['printing', ['option-ignored'], true, 5, ['job-printing', 'option-ignored']],
  ['done', [], true, 9, ['job-completed-successfully']],
  ['done', ['option-ignored'], true, 9, ['job-completed-with-warnings', 'option-ignored']],
  ['cancelled', [], true, 7, ['job-canceled-by-user']],
  ['error', ['unconfirmed'], true, 8, ['aborted-by-system', 'unconfirmed']],
  ['expired', ['Not a keyword'], true, 8, ['aborted-by-system']],
])(
  'a job that is %s with %j, and whose printer is enabled: %s, is %i %j',
  (state, reasons, enabled, shown, keywords) => {
    proves('ipp.job-states')
    expect(toShownState({ state, stateReasons: reasons }, enabled)).toEqual({ state: shown, reasons: keywords })
  },
)

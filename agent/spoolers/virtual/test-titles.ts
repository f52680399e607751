/**
 * Texts in titles of test jobs that choose the outcome. In live mode they have no effect. Reference:
 * docs/reference/test-mode.md#outcomes.
 */
import { REFUSED_BY_SYSTEM, SpoolerRefusal, type SpoolerState } from '../spooler.ts'

/** A state of a released job until a time, as a multiple of the usual time from release to completion. */
interface Stage {
  until: number
  state: SpoolerState
}

export interface Course {
  stages: Stage[]
  end: SpoolerState
}

/** The share of the time before the job is `processing`. */
const PENDING = 0.6 / 2.6

/** The end of a wait, about 10 s after the release, which people and programs notice. */
const WAIT_END = 4

const PRINTED: SpoolerState = { is: 'completed', confirmedBy: 'printer', reasons: ['job-completed-successfully'] }
const pending = { until: PENDING, state: { is: 'pending', reasons: [] } } as const satisfies Stage
const printing = (until: number): Stage => ({ until, state: { is: 'processing', reasons: ['job-printing'] } })
const because = (mark: string) => `because the title contains \`${mark}\``

const COURSES: Record<string, Course> = {
  '[fail]': {
    stages: [pending, printing(1)],
    end: {
      is: 'aborted',
      message: `The virtual printer failed ${because('[fail]')}.`,
      reasons: ['job-aborted-by-system'],
    },
  },
  '[out-of-paper]': {
    stages: [
      pending,
      {
        until: WAIT_END,
        state: {
          is: 'processing',
          message: `The virtual printer is out of paper, ${because('[out-of-paper]')}.`,
          reasons: ['media-empty'],
        },
      },
      printing(WAIT_END + 0.5),
    ],
    end: PRINTED,
  },
  '[offline]': {
    stages: [
      {
        until: WAIT_END,
        state: {
          is: 'pending',
          message: `The virtual printer is switched off for some seconds, ${because('[offline]')}.`,
          reasons: ['offline'],
        },
      },
      printing(WAIT_END + 0.5),
    ],
    end: PRINTED,
  },
}

const USUAL: Course = { stages: [pending, printing(1)], end: PRINTED }
const NOT_PRINTED = '[not-printed]'

/** @param title undefined in live mode. */
export const getCourse = (title: string | undefined): Course =>
  Object.entries(COURSES).find(([mark]) => title?.includes(mark))?.[1] ?? USUAL

/** @throws SpoolerRefusal for a title with `[not-printed]`. */
export function refuseByTitle(title: string): void {
  if (title.includes(NOT_PRINTED))
    throw new SpoolerRefusal(`The virtual printer did not take the job, ${because(NOT_PRINTED)}.`, [REFUSED_BY_SYSTEM])
}

/**
 * How long a job with `[slow]` stays in `sent`, where it can be cancelled. Below the 60 s after which the service sends
 * it again.
 */
const SLOW_MS = 20_000

/** @returns the time before the agent receives a job: for ever with `[expire]`, so that it expires. */
export function getReceiptDelayMs(title: string): number {
  if (title.includes('[expire]')) return Number.POSITIVE_INFINITY
  return title.includes('[slow]') ? SLOW_MS : 0
}

/** Sentences about the problems of alerts, for their e-mails and the dashboard. With the placeholders of `fillIn`. */
import type { AlertKindName } from './alert-kinds.ts'
import { toTime } from './explain/texts.ts'
import type { NextStep } from './next-steps.ts'

interface Problem {
  /** Null if the start is not known. */
  since: Date | null
  /** How many failed. */
  jobs: number
  /** `unauthorized` for a computer whose agent is refused. */
  detail: string
}

interface AlertText {
  problem(problem: Problem): string
  solved: string
  nextSteps(problem: Pick<Problem, 'detail'>): readonly NextStep[]
}

const isRefused = ({ detail }: Pick<Problem, 'detail'>) => detail === 'unauthorized'

const isOffline = (since: Date | null) => (since ? `has been offline since ${toTime(since)}` : 'is offline')
const waits = (since: Date | null) => (since ? `has been waiting since ${toTime(since)}` : 'waits')

export const ALERT_TEXTS: Record<AlertKindName, AlertText> = {
  computer_offline: {
    problem: (problem) =>
      isRefused(problem)
        ? 'The agent of computer {computer} is refused, because its credential was replaced.'
        : `Computer {computer} ${isOffline(problem.since)}.`,
    solved: 'Computer {computer} is online again.',
    nextSteps: (problem) => (isRefused(problem) ? ['enrol_again'] : ['start_computer', 'run_doctor']),
  },
  agent_outdated: {
    problem: () => 'The agent on computer {computer} is older than this installation. Its version is {message}.',
    solved: 'The agent on computer {computer} is no longer older than this installation.',
    nextSteps: () => ['check_agent'],
  },
  printer_offline: {
    problem: ({ since }) => `Printer {printer} at computer {computer} ${isOffline(since)}.`,
    solved: 'Printer {printer} at computer {computer} is online again.',
    nextSteps: () => ['check_printer'],
  },
  printer_attention: {
    problem: () => 'Printer {printer} at computer {computer} needs attention: {message}',
    solved: 'Printer {printer} at computer {computer} no longer needs attention.',
    nextSteps: () => ['check_printer'],
  },
  job_waiting: {
    problem: ({ since }) => `A job for printer {printer} ${waits(since)}.`,
    solved: 'No job waits too long for printer {printer}.',
    nextSteps: () => ['check_printer'],
  },
  job_failed: {
    problem: ({ jobs }) => `${jobs === 1 ? 'A job' : `${jobs} jobs`} for printer {printer} failed.`,
    solved: 'Printer {printer} has printed a later job.',
    nextSteps: () => ['check_printer'],
  },
}

/**
 * The state reasons of print jobs. docs/reference/state-reasons.md lists the same entries, which a test compares. The
 * explanation of a job (`resources/explain`) and `platen-server inspect` use `cause`, `paper` and `nextSteps`; the
 * metrics use the reasons of ended jobs.
 *
 * Texts of `meaning` and `todo` are Markdown for the page. `cause` is plain text of at most two lines. `{printer}` and
 * `{computer}` stand for names and `{message}` for the message of the job.
 */
import type { JobState } from './job-states.ts'
import type { NextStep } from './next-steps.ts'

/**
 * Whether a job in `error` can have left paper.
 *
 * - `none`: nothing was printed.
 * - `none-before-printing`: nothing was printed unless the job was `printing`.
 * - `maybe`: unknown.
 */
type ErrorPaper = 'none' | 'none-before-printing' | 'maybe'

export interface StateReason {
  /** The keywords of a family, the best known ones. */
  keywords: readonly string[]
  isFamily?: true
  /** Empty: any. */
  states: readonly JobState[]
  meaning: string
  todo: string
  /** Only of reasons of `error`. */
  paper?: ErrorPaper
  cause: string
  nextSteps: readonly NextStep[]
}

export const ATTENTION_KEYWORDS = [
  ...(['media-empty', 'media-needed', 'media-jam', 'cover-open', 'toner-empty'] as const),
  ...(['marker-supply-empty', 'device-paused', 'device-not-answering'] as const),
] as const
export const UNREACHABLE_KEYWORDS = ['printer-stopped', 'paused', 'offline', 'connecting-to-device'] as const

/** A printer with one of them does not print. */
export const STOPPING_KEYWORDS: readonly string[] = [...ATTENTION_KEYWORDS, ...UNREACHABLE_KEYWORDS]

/** Whether a printer prints nothing although it is online. */
export const isStopped = ({ enabled, stateReasons }: { enabled: boolean; stateReasons: string[] }): boolean =>
  !enabled || stateReasons.some((reason) => STOPPING_KEYWORDS.includes(reason))

/** SQL: `isStopped` of two columns. */
export const isStoppedSql = (enabled: string, stateReasons: string) =>
  `(NOT ${enabled} OR ${stateReasons} && '{${STOPPING_KEYWORDS.join(',')}}'::text[])`

export const STATE_REASONS: readonly StateReason[] = [
  {
    keywords: ['agent-lost'],
    states: ['error'],
    meaning:
      'The agent had received the job and was then offline for one day, or the time that the operator has set. The job may have been printed. If the agent returns, it prints no further part of it.',
    todo: "Check the printer's output before you send the job again.",
    paper: 'maybe',
    cause: 'Computer {computer} received the job and was then offline for too long.',
    nextSteps: ['check_paper', 'start_computer', 'print_again'],
  },
  {
    keywords: ['agent-superseded'],
    states: ['error'],
    meaning:
      'Another agent connected with the same credential before the agent had handed the job to the spooler. Nothing was printed.',
    todo: 'Enrol each computer separately, and send the job again.',
    paper: 'none',
    cause: 'A second agent connected with the credential of computer {computer} before the first one printed the job.',
    nextSteps: ['check_agent', 'print_again'],
  },
  {
    keywords: ['completion-unconfirmed'],
    states: ['done'],
    meaning:
      'The printer received the whole document but did not confirm the end: it accepts raw data only, or keeps no record of its jobs. Most such printers have printed the job; one that is out of paper or was switched off in this moment has not.',
    todo: "Check the printer's output. If a raw printer never confirms, add [`?waiteof=false`](../network-printers.md) to its address.",
    cause: 'Printer {printer} received the whole document but did not confirm that it has printed it.',
    nextSteps: ['check_paper', 'print_again'],
  },
  {
    keywords: ['computer-deleted'],
    states: ['cancelled', 'error'],
    meaning:
      'The computer of the printer was deleted. In `error`, the agent already had the job, which may have been printed.',
    todo: "Send the job to another printer. After `error`, check the printer's output first.",
    paper: 'maybe',
    cause: 'Computer {computer} of printer {printer} was deleted from the service.',
    nextSteps: ['check_paper', 'print_elsewhere'],
  },
  {
    keywords: ['computer-disk-full'],
    states: ['received'],
    meaning:
      'The disk of the computer has too little free space for the document. The agent leaves 500 MB free, or 5 % of a smaller disk. While it has no space at all, the [printers](#printers) of the computer have the keyword.',
    todo: 'Free space on the computer. Otherwise the job ends when it expires, or when the printer is [purged](printers.md#purge).',
    cause: 'The disk of computer {computer} has too little free space.',
    nextSteps: ['free_space', 'print_elsewhere'],
  },
  {
    keywords: ['content-outside-page'],
    states: [],
    meaning:
      'Annotations, or content that pages share, are outside of a page of the PDF. The agent cuts them off, but not in a document with layers, in which layers that are off would appear. `stateMessage` names the page, after the reason of an error.',
    todo: "Check the printer's output if the sheet is larger than the page.",
    cause: 'Printer {printer} printed the job. {message}',
    nextSteps: ['check_paper', 'check_document'],
  },
  {
    keywords: ['content-too-large'],
    states: ['error'],
    meaning:
      'The file at the URL, or the PDF of an image, is larger than 25 MB. An agent also refuses larger documents. Nothing was printed.',
    todo: 'Send a smaller file.',
    paper: 'none',
    cause: 'The document is larger than 25 MB.',
    nextSteps: ['check_document'],
  },
  {
    keywords: ['destination-deleted'],
    states: ['error'],
    meaning:
      'The [destination](destinations.md#deletion) of the job was deleted before a printer took the job. Nothing was printed.',
    todo: 'Send the job to another destination or to a printer.',
    paper: 'none',
    cause: 'The destination of the job was deleted before a printer took the job.',
    nextSteps: ['print_elsewhere'],
  },
  {
    keywords: ['document-damaged'],
    states: ['error'],
    meaning: 'The document store returned other bytes than were stored. Nothing was printed.',
    todo: 'Send the job again, with the document. The operator should check the store.',
    paper: 'none',
    cause: 'The stored document is damaged.',
    nextSteps: ['send_again', 'ask_operator'],
  },
  {
    keywords: ['document-format-error'],
    states: ['error'],
    meaning:
      'The file at the URL is empty or not of the announced format, the [image](print-jobs.md#images) is damaged or too large, or the PDF cannot be printed: it is damaged, has no pages, is protected by a password, or its owner forbids printing. `stateMessage` contains the cause. Nothing was printed, unless the job was `printing`.',
    todo: 'Check the document, or the answer of the URL.',
    paper: 'none-before-printing',
    cause: 'The document was refused: {message}',
    nextSteps: ['check_document'],
  },
  {
    keywords: ['document-format-not-supported'],
    states: ['error'],
    meaning:
      'The printer does not support the format, for example a PDF for a printer that accepts raw data only and whose [language](../network-printers.md#pdf-on-raw-printers) the agent does not know, or the owner of the computer [forbids raw data](../agent.md#raw-documents). Nothing was printed.',
    todo: 'Send a supported format, set the language of a ZPL or ESC/POS printer on its page in the dashboard, or add the printer to the operating system of the computer.',
    paper: 'none',
    cause: 'Printer {printer} on computer {computer} does not accept this kind of document.',
    nextSteps: ['set_language', 'check_document', 'print_elsewhere'],
  },
  {
    keywords: ['document-lost'],
    states: ['error'],
    meaning:
      'The document was damaged or deleted on the computer before it was handed to the spooler. Nothing was printed.',
    todo: 'Send the job again.',
    paper: 'none',
    cause: 'The document was damaged or deleted on computer {computer} before it was printed.',
    nextSteps: ['print_again'],
  },
  {
    keywords: ['document-missing'],
    states: ['error'],
    meaning: 'The service no longer has the document. Nothing was printed.',
    todo: 'Send the job again, with the document.',
    paper: 'none',
    cause: 'The service no longer has the document.',
    nextSteps: ['send_again'],
  },
  {
    keywords: ['document-not-downloaded'],
    states: ['queued', 'sent', 'received', 'expired'],
    meaning:
      'The computer has failed to download the document for more than a minute. `stateMessage` contains the cause. The agent tries again, and the keyword is removed when it succeeds. Nothing was printed.',
    todo: 'Run `platen-agent doctor` on the computer. Check the proxies and firewalls of its network.',
    cause: 'Computer {computer} cannot download the document: {message}',
    nextSteps: ['run_doctor', 'check_agent', 'print_elsewhere'],
  },
  {
    keywords: ['documents-limit'],
    states: ['received'],
    meaning:
      'Documents of earlier jobs use the space that [test mode](test-mode.md#virtual-printers) has for the documents of an organization. The keyword is removed when they are printed.',
    todo: 'Wait.',
    cause:
      'Documents of earlier jobs use the space for documents of computer {computer}. The job is printed after them.',
    nextSteps: ['wait'],
  },
  {
    keywords: ['expired-before-printing'],
    states: ['error'],
    meaning:
      'The agent had received the job, but it was not printed before it expired, for example because its queue was stopped or the computer slept. Nothing was printed.',
    todo: 'Send the job again if it is still needed.',
    paper: 'none',
    cause: 'Computer {computer} had the job, but printer {printer} did not begin to print it before it expired.',
    nextSteps: ['check_printer', 'print_again'],
  },
  {
    keywords: ['fetch-failed'],
    states: ['error'],
    meaning:
      'The file could not be fetched from its URL. `stateMessage` contains the cause, unless the host is in a network of the operator that [hides it](fetches.md#blocked-addresses). Nothing was printed.',
    todo: 'Correct the URL or its server, and send the job again.',
    paper: 'none',
    cause: 'The document could not be fetched from its URL: {message}',
    nextSteps: ['check_url', 'send_again'],
  },
  {
    keywords: ['fetch-timeout'],
    states: ['error'],
    meaning:
      'The fetch did not end within 30 s, or the time that the operator has set, or could not begin within one hour. Nothing was printed.',
    todo: 'Send the job again. If it happens again, check the server of the URL.',
    paper: 'none',
    cause: 'The document could not be fetched from its URL in time.',
    nextSteps: ['send_again', 'check_url'],
  },
  {
    keywords: ['font-not-embedded'],
    states: [],
    meaning:
      'The PDF does not contain the letters of a font that is not one of the 14 [standard fonts](print-jobs.md#pdf). `stateMessage` names it, after the reason of an error. Another font is printed instead, and letters can have other widths or be missing.',
    todo: "Check the printer's output. Let the program that writes the PDF embed its fonts.",
    cause: 'Printer {printer} printed the job. {message}',
    nextSteps: ['check_paper', 'check_document'],
  },
  {
    keywords: ['held'],
    states: ['queued'],
    meaning: 'The job was created with `hold` and has not been [released](print-jobs.md#held-and-scheduled-jobs).',
    todo: 'Release the job, or cancel it. Otherwise it expires.',
    cause: 'The job is held until it is released.',
    nextSteps: ['release'],
  },
  {
    keywords: ['job-aborted-by-system'],
    states: ['error'],
    meaning:
      'The spooler aborted the job. Part of it may have been printed. In test mode, the title contained `[fail]`.',
    todo: 'Check the printer and its output. `stateMessage` contains the message of the spooler.',
    paper: 'maybe',
    cause: 'The print queue on computer {computer} aborted the job: {message}',
    nextSteps: ['check_paper', 'check_printer', 'print_again'],
  },
  {
    keywords: ['job-canceled-at-device'],
    states: ['error'],
    meaning:
      'The printer aborted the job because of a fault, or the job was cancelled at the printer. Part of it may have been printed.',
    todo: 'Check the printer and its output before you send the job again.',
    paper: 'maybe',
    cause: 'Printer {printer} aborted the job because of a fault, or the job was cancelled at the printer.',
    nextSteps: ['check_paper', 'check_printer', 'print_again'],
  },
  {
    keywords: ['job-canceled-by-user'],
    states: ['error'],
    meaning: 'A user removed the job from the print queue on the computer. Part of it may have been printed.',
    todo: 'Ask the users of the computer for the cause.',
    paper: 'maybe',
    cause: 'A user removed the job from the print queue on computer {computer}.',
    nextSteps: ['check_paper', 'print_again'],
  },
  {
    keywords: ['job-refused-by-system'],
    states: ['error'],
    meaning:
      'The spooler, or a printer without a queue, did not take the job, for example because its queue does not admit the user of the agent. Nothing was printed.',
    todo: 'Do what `stateMessage` says on the computer, and send the job again.',
    paper: 'none',
    cause: 'The print system of computer {computer} did not take the job: {message}',
    nextSteps: ['check_queue', 'print_again'],
  },
  {
    keywords: ['layers-uncertain'],
    states: [],
    meaning:
      'The PDF has [layers](print-jobs.md#pdf) that are marked for the screen or for paper, but its configuration does not apply these marks, or the agent could not read them. Viewers print such layers differently.',
    todo: "Check the printer's output. Let the program that writes the PDF omit layers that are not printed.",
    cause: 'Printer {printer} printed the job. {message}',
    nextSteps: ['check_paper', 'check_document'],
  },
  {
    keywords: ATTENTION_KEYWORDS,
    isFamily: true,
    states: ['received', 'printing'],
    meaning:
      'The printer needs attention, now or soon, in IPP keywords. `stateMessage` contains the text of the spooler or of the printer. Two are no keywords of IPP: `device-paused`, a [raw printer](../network-printers.md#the-word-of-the-printer) is paused at the device, and `device-not-answering`, one that has answered before accepts connections and is silent. The keyword is removed when the printer continues.',
    todo: 'Attend to the printer. The job then continues.',
    cause: 'Printer {printer} needs attention: {message}',
    nextSteps: ['check_printer'],
  },
  {
    keywords: ['option-ignored'],
    states: [],
    meaning:
      'The printer, its driver or the platform does not offer some of the print options. `stateMessage` names them, after the reason of an error. The messages of `agent-lost`, `computer-deleted`, `purged` and `spooler-timeout` do not. The job continues without them.',
    todo: "Nothing, or use values of the printer's `capabilities`.",
    cause: 'Printer {printer} printed the job. {message}',
    nextSteps: [],
  },
  {
    keywords: ['page-ranges-not-in-document'],
    states: ['error'],
    meaning:
      'The document has none of the pages of the option `pages`. `stateMessage` contains the number of its pages. Nothing was printed.',
    todo: 'Select existing pages.',
    paper: 'none',
    cause: 'The document has none of the pages that the job selects: {message}',
    nextSteps: ['check_options'],
  },
  {
    keywords: ['page-scaled'],
    states: [],
    meaning:
      'A page is larger than the paper and was printed smaller. `stateMessage` names both sizes and the percentage, after the reason of an error.',
    todo: 'Send the option `paper`, or `fit_to_page`: `true` means that it is wanted, `false` prints at 100 %.',
    cause: 'Printer {printer} printed the job. {message}',
    nextSteps: ['check_paper', 'check_document'],
  },
  {
    keywords: UNREACHABLE_KEYWORDS,
    isFamily: true,
    states: ['received', 'printing'],
    meaning:
      'The job waits in the spooler, because its queue is stopped, its printer is offline, or the device cannot be reached. `stateMessage` contains the text of the spooler. The keywords are removed when the job continues.',
    todo: 'Start the queue on the computer, or switch the printer on. Otherwise the job ends when it expires, or when the printer is [purged](printers.md#purge).',
    cause: 'Printer {printer} is stopped, switched off or cannot be reached from computer {computer}.',
    nextSteps: ['check_printer', 'print_elsewhere'],
  },
  {
    keywords: ['printer-not-accepting-jobs'],
    states: ['error'],
    meaning: 'The print queue on the computer rejects jobs. Nothing was printed.',
    todo: 'Let the queue accept jobs, and send the job again.',
    paper: 'none',
    cause: 'The print queue of printer {printer} on computer {computer} rejects jobs.',
    nextSteps: ['check_queue', 'print_again'],
  },
  {
    keywords: ['printer-not-found'],
    states: ['error'],
    meaning: 'The spooler of the computer no longer has the printer. Nothing was printed.',
    todo: 'Check the printers of the computer, and send the job again.',
    paper: 'none',
    cause: 'Computer {computer} no longer has printer {printer}.',
    nextSteps: ['check_queue', 'print_elsewhere'],
  },
  {
    keywords: ['printer-removed'],
    states: ['error'],
    meaning:
      'The printer was removed from the computer while the job waited in its queue, for example because the queue was renamed. Nothing was printed.',
    todo: 'Send the job to another printer, or to the one with the new name.',
    paper: 'none',
    cause: 'Printer {printer} was removed from computer {computer} while the job waited for it.',
    nextSteps: ['check_queue', 'print_elsewhere'],
  },
  {
    keywords: ['printer-requires-authentication'],
    states: ['error'],
    meaning: 'The printer requires a user name and a password, which its queue does not have. Nothing was printed.',
    todo: 'Add them to the address of the queue on the computer, or let the printer accept jobs without them. Then send the job again.',
    paper: 'none',
    cause: 'Printer {printer} requires a user name and a password, which computer {computer} does not have.',
    nextSteps: ['check_queue', 'print_again'],
  },
  {
    keywords: ['purged'],
    states: ['cancelled', 'error'],
    meaning:
      'An administrator [purged](printers.md#purge) the printer. In `error`, the agent already had the job, which may have been printed in part or completely.',
    todo: "Send the job again if it is still needed. After `error`, check the printer's output first.",
    paper: 'maybe',
    cause: 'An administrator removed all jobs of printer {printer}.',
    nextSteps: ['check_paper', 'print_again'],
  },
  {
    keywords: ['scheduled'],
    states: ['queued'],
    meaning: 'The job waits for its [`notBefore`](print-jobs.md#held-and-scheduled-jobs).',
    todo: 'Wait, or cancel the job.',
    cause: 'The job waits for its time.',
    nextSteps: ['wait'],
  },
  {
    keywords: ['spooler-not-ready'],
    states: ['received', 'printing'],
    meaning:
      'The spooler does not answer, or does not take the job at the moment, for example because a quota is used up or too many jobs wait. `stateMessage` contains its text. The agent tries again, and the keyword is removed when it succeeds.',
    todo: 'Start the spooler, or raise its limit. Otherwise the job ends when it expires, or when the printer is [purged](printers.md#purge).',
    cause: 'The print system of computer {computer} is not ready for the job: {message}',
    nextSteps: ['check_queue', 'print_elsewhere'],
  },
  {
    keywords: ['spooler-timeout'],
    states: ['error'],
    meaning:
      'The spooler did not finish the job within 15 minutes, and the agent was ordered to remove it. The job may have been printed in part or completely. A keyword beside it says why the printer stopped, such as `media-empty`: it may still hold the rest, and print it when it is repaired.',
    todo: 'Check the printer and its output before you send the job again.',
    paper: 'maybe',
    cause: 'Printer {printer} did not finish the job in time, so computer {computer} was told to remove it.',
    nextSteps: ['check_paper', 'check_printer', 'print_again'],
  },
  {
    keywords: ['spooling-disabled'],
    states: ['error'],
    meaning:
      'Windows prints directly to the printer, so the job cannot be held until it is certain to print once. Nothing was printed.',
    todo: 'Enable spooling in the properties of the printer, "Advanced".',
    paper: 'none',
    cause: 'Windows on computer {computer} prints directly to printer {printer}. Spooling must be enabled there.',
    nextSteps: ['check_queue', 'print_again'],
  },
  {
    keywords: ['unconfirmed'],
    states: ['error'],
    meaning:
      'It is unknown whether the job was printed: the agent lost its record of the job or did not report its outcome within 24 hours of its expiry, or the spooler lost the job, its document or its release, for example in a crash of CUPS, or a user held the job again. The job is not printed again.',
    todo: "Check the printer's output before you send the job again.",
    paper: 'maybe',
    cause:
      'Computer {computer} or its print queue lost track of the job, for example in a crash, or did not report its outcome.',
    nextSteps: ['check_paper', 'print_again'],
  },
]

/** A job with one of them is printed all the same, so they explain no state but `done`. */
export const WARNINGS: readonly string[] = STATE_REASONS.filter(({ states }) => states.length === 0).flatMap(
  ({ keywords }) => keywords,
)

/** A keyword of a family that is not listed belongs to no entry. */
export const findStateReason = (keyword: string, state: JobState): StateReason | undefined =>
  STATE_REASONS.find(
    ({ keywords, states }) => keywords.includes(keyword) && (states.length === 0 || states.includes(state)),
  )

/** Why a job ended in `error` or `cancelled`. */
export const END_REASONS: readonly string[] = STATE_REASONS.filter(({ states }) => states.includes('error')).flatMap(
  ({ keywords }) => keywords,
)

/**
 * The reason of the end of a job, for counts. `other`: a reason that is not listed, because agents can report any.
 * Reasons of `done` are warnings, and those of `expired` are what the job waited for.
 */
export function toEndReason(state: JobState, reasons: readonly string[]): string | undefined {
  if (state === 'done' || state === 'expired' || reasons.every((reason) => WARNINGS.includes(reason))) return undefined
  return reasons.find((reason) => END_REASONS.includes(reason)) ?? 'other'
}

import { describeOther, recognize } from '@platen/resources/document-format.ts'
import { TEST_TITLES } from '@platen/resources/test-titles.ts'
import { Link } from '@tanstack/react-router'
import { FileText, Printer as PrinterIcon, Receipt, Tag } from 'lucide-react'
import { useState } from 'react'
import { useLive, usePrinters, useResource } from '../../api/live.tsx'
import { type LocalDocument, type NewJob, toBase64 } from '../../api/new-job.ts'
import type { Job, Printer } from '../../api/resources.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Menu } from '../../ui/menu.tsx'
import { DropArea } from '../print/document-field.tsx'
import { DocumentPreview } from '../print/preview/document-preview.tsx'
import { SAMPLES } from '../print/samples.ts'
import { useSubmission } from '../print/use-submission.ts'
import { Code } from './code.tsx'
import { Progress } from './progress.tsx'

const ICONS: Record<string, typeof FileText> = { Letter: FileText, Label: Tag, Receipt }

/** A text of an earlier choice. */
const OUTCOME = / \[[a-z-]+\]$/

interface Sent {
  job: Job
  body: NewJob
  document: LocalDocument
}

/** The first print of a new organization, in test mode: one click, and everything that follows is shown. */
export function StartPage() {
  const printers = usePrinters()
  const [document, setDocument] = useState<LocalDocument>()
  const [sent, setSent] = useState<Sent>()
  const [fault, setFault] = useState<string>()
  const submission = useSubmission((job, body) => {
    if (document) setSent({ job, body, document })
  })

  const print = (chosen: LocalDocument, title: string, printerName?: string) => {
    const recognized = recognize(chosen.bytes)
    const { format } = recognized
    setFault(format ? undefined : `${describeOther(recognized)}.`)
    const printer = choosePrinter(printers.printers, printerName ?? (format === 'raw' ? 'Label' : 'A4'))
    if (!printer || !format) return
    setDocument(chosen)
    submission.submit(async () => ({
      printerId: printer.id,
      title,
      contentType: `${format}_base64` as const,
      content: await toBase64(chosen.bytes),
    }))
  }
  return (
    <>
      <PageHeader title="Your first print" />
      <div className="flex max-w-5xl flex-col gap-6 p-4">
        <section aria-label="Samples" className="flex flex-col gap-3">
          <p>Choose a document. It prints in test mode: everything works as on paper, but no paper is used.</p>
          <div className="grid gap-3 sm:grid-cols-3">
            {SAMPLES.map(({ label, title, description, name, bytes, printerName }) => {
              const Icon = ICONS[label] ?? FileText
              return (
                <button
                  key={label}
                  type="button"
                  disabled={!printers.isSuccess || submission.isPending}
                  onClick={() => print({ name, bytes }, title, printerName)}
                  className="panel flex items-center gap-3 p-4 text-left hover:bg-raised"
                >
                  <Icon size={22} aria-hidden className="shrink-0 text-accent" />
                  <span>
                    <span className="block font-semibold">Print a {label.toLowerCase()}</span>
                    <span className="block text-sm text-muted">{description}</span>
                  </span>
                </button>
              )
            })}
          </div>
          <DropArea onDocument={(chosen) => print(chosen, chosen.name)} />
        </section>
        {fault && <ErrorPanel title="This is not printed." error={fault} />}
        {submission.isError && <ErrorPanel title="No job was created." error={submission.error} />}
        {printers.isError ? (
          <ErrorPanel
            title="The printers could not be loaded."
            error={printers.error}
            onRetry={() => printers.refetch()}
          />
        ) : printers.isPending ? (
          <Loading label="Starting the printers of test mode …" />
        ) : (
          <Printers printers={printers.printers} usedId={sent?.job.printerId} />
        )}
        {sent && (
          <Result
            key={sent.job.id}
            sent={sent}
            onOutcome={(text) =>
              print(
                sent.document,
                `${sent.job.title.replace(OUTCOME, '')} ${text}`,
                findName(printers.printers, sent.job.printerId),
              )
            }
          />
        )}
      </div>
    </>
  )
}

const choosePrinter = (printers: readonly Printer[], name: string) =>
  printers.find((printer) => printer.name.includes(name)) ?? printers[0]

const findName = (printers: readonly Printer[], id: string) => printers.find((printer) => printer.id === id)?.name

function Printers({ printers, usedId }: { printers: readonly Printer[]; usedId: string | undefined }) {
  return (
    <ul aria-label="Printers" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {printers.map(({ id, displayName, description, state }) => (
        <li
          key={id}
          aria-current={id === usedId || undefined}
          className={`panel p-3 text-sm ${id === usedId ? 'border-accent' : ''}`}
        >
          <span className="flex items-center gap-2 font-medium">
            <PrinterIcon size={16} aria-hidden className={id === usedId ? 'text-accent' : 'text-muted'} />
            {displayName}
          </span>
          <span className="block text-xs text-muted">{description}</span>
          <span className={`text-xs ${state === 'online' ? 'text-ok' : 'text-muted'}`}>{state}</span>
        </li>
      ))}
    </ul>
  )
}

/** @param onOutcome prints again with this text in the title. */
function Result({ sent, onOutcome }: { sent: Sent; onOutcome(text: string): void }) {
  const { mode } = useLive()
  const job = useResource('printjob', sent.job.id) ?? sent.job
  const printer = useResource('printer', job.printerId)
  return (
    <>
      <section aria-label="Your print job" className="panel flex min-w-0 flex-col gap-4 p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-lg font-semibold">
            {job.title} {printer && <span className="font-normal text-muted">on {printer.displayName}</span>}
          </h2>
          <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: job.id }} className="link text-sm">
            Open the job
          </Link>
        </div>
        <Progress job={job} />
        {job.state === 'error' && (
          <p className="text-sm">
            The job failed: {job.stateMessage ?? 'without a message'}. The page of the job explains what can be done.
          </p>
        )}
        {job.state === 'done' && (
          <DocumentPreview
            document={sent.document}
            options={job.options}
            qty={job.qty}
            paper={undefined}
            raster={undefined}
          />
        )}
      </section>
      <Code body={sent.body} fileName={sent.document.name} printer={printer?.displayName ?? job.printerId} />
      <section aria-label="Next steps" className="flex flex-wrap gap-3">
        <Link to="/$mode/computers/new" params={{ mode: 'live' }} className="button button-primary">
          Print on paper: add a computer
        </Link>
        <Menu
          label="Make it fail"
          items={Object.entries(TEST_TITLES).map(([text, meaning]) => ({
            label: `${text} ${meaning.replaceAll('`', '')}`,
            onClick: () => onOutcome(text),
          }))}
        />
        <Link to="/$mode/print" params={{ mode }} search={{}} className="button">
          Print with options
        </Link>
      </section>
    </>
  )
}

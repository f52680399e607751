import { describeOther, recognize } from '@platen/resources/document-format.ts'
import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { TEST_TITLES } from '@platen/resources/test-titles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import type { Destination } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import { FILE_CONTENT, type LocalDocument, type NewJob, toBase64 } from '../../api/new-job.ts'
import { destinationsQuery } from '../../api/queries.ts'
import type { Job, Printer } from '../../api/resources.ts'
import { usePages } from '../../api/use-pages.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading.tsx'
import { describePolicy } from '../destinations/words.ts'
import { PrinterOptions } from '../devices/printer-options.tsx'
import { DropArea, PasteArea } from './document-field.tsx'
import { JobCurl } from './job-curl.tsx'
import { findLastUsed, storeLastUsed } from './last-printer.ts'
import { OptionsForm } from './options-form.tsx'
import { DocumentPreview } from './preview/document-preview.tsx'
import { findIgnored } from './preview/ignored-options.ts'
import { findPaper } from './preview/paper.ts'
import type { PrintOptions } from './preview/sheets.ts'
import { SAMPLES } from './samples.ts'
import { useSubmission } from './use-submission.ts'
import { needsConsent, useValidation, Validation } from './validation.tsx'

/** Sends a document from the browser. With `?again=` it prints a stored document once more, with other options. */
export function PrintPage() {
  const { again, printer, destination } = useSearch({ from: '/$mode/print' })
  const live = useLive()
  const { key, send, mode } = live
  const printers = usePrinters()
  const destinations = usePages(destinationsQuery(live))
  useComputers()
  const original = useQuery({
    queryKey: [...key, 'print-again', again],
    queryFn: async ({ signal }) =>
      await send((api) => api.GET('/v1/printjobs/{id}', { params: { path: { id: again ?? '' } } }), signal),
    enabled: again !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const failed = [printers, destinations, original].find(({ isError }) => isError)
  return (
    <>
      <PageHeader title="Print a document" />
      <div className="p-4">
        {failed ? (
          <ErrorPanel title="The page could not be loaded." error={failed.error} onRetry={() => failed.refetch()} />
        ) : printers.isPending || destinations.isPending || original.isLoading ? (
          <Loading />
        ) : printers.printers.length === 0 ? (
          <Empty title={`No printers in ${mode} mode`}>
            A printer appears when the agent runs on its computer.{' '}
            {mode === 'live' && (
              <Link to="/$mode/print" params={{ mode: 'test' }} search={{}} className="link">
                Print in test mode
              </Link>
            )}
          </Empty>
        ) : (
          <PrintForm
            key={again ?? ''}
            printers={printers.printers}
            destinations={destinations.data ?? []}
            original={original.data}
            proposed={destination ?? printer}
          />
        )}
      </div>
    </>
  )
}

/** The options of a job that its printer applied. */
function keepApplied(job: Job): PrintOptions {
  const ignored = findIgnored(job)
  return Object.fromEntries(Object.entries(job.options).filter(([name]) => !ignored.includes(name)))
}

/** The longest text of an outcome with the space before it. */
const OUTCOME_LENGTH_MAX = Math.max(...Object.keys(TEST_TITLES).map((text) => text.length)) + 1

interface PrintFormProps {
  printers: readonly Printer[]
  destinations: readonly Destination[]
  original: Job | undefined
  /** Id of a printer or destination. */
  proposed: string | undefined
}

/**
 * In live mode nothing is proposed that could print on the wrong paper: only the printer that was used last, or the
 * default.
 */
function proposePrinter(printers: readonly Printer[], mode: string): string | undefined {
  const defaults = printers.filter(({ isDefault, state, enabled }) => isDefault && state === 'online' && enabled)
  const known = findLastUsed(printers) ?? (defaults.length === 1 ? defaults[0]?.id : undefined)
  return known ?? (mode === 'test' ? (printers.find(({ isDefault }) => isDefault) ?? printers[0])?.id : undefined)
}

/** The printer that would get the job of a destination, whose options the form offers. */
const findPlanned = ({ printers, nextPrinterId }: Destination): string | undefined =>
  nextPrinterId ?? printers[0]?.printerId

function PrintForm({ printers, destinations, original, proposed }: PrintFormProps) {
  const { mode } = useLive()
  const navigate = useNavigate()
  const [document, setDocument] = useState<LocalDocument>()
  const [targetId, setTargetId] = useState(
    original?.destinationId ?? original?.printerId ?? proposed ?? proposePrinter(printers, mode),
  )
  const destination = destinations.find(({ id }) => id === targetId)
  const printerId = destination ? findPlanned(destination) : targetId
  const printer = printers.find(({ id }) => id === printerId)
  const [title, setTitle] = useState(original?.title ?? '')
  const [qty, setQty] = useState(original?.qty ?? 1)
  const [options, setOptions] = useState<PrintOptions>(() => (original ? keepApplied(original) : {}))
  const [outcome, setOutcome] = useState('')
  const [consent, setConsent] = useState('')
  const submission = useSubmission((job) => {
    if (job.destinationId === null) storeLastUsed(job.printerId)
    void navigate({ to: '/$mode/jobs/$jobId', params: { mode, jobId: job.id } })
  })
  const recognized = useMemo(() => document && recognize(document.bytes), [document])
  const contentType = `${document ? (recognized?.format ?? 'raw') : 'pdf'}_base64` as const
  const isUnknown = recognized !== undefined && recognized.format === undefined && !document?.isRaw
  const isRaw = (original?.contentType ?? contentType).startsWith('raw')
  const shownTitle = `${title || document?.name || 'Document'}${outcome && ` ${outcome}`}`.slice(
    -PRINT_JOB_LIMITS.titleLengthMax,
  )

  const base = {
    ...(destination ? { destination: destination.id } : { printerId: printer?.id ?? '…' }),
    title: shownTitle,
    source: 'dashboard',
    qty,
    ...(!isRaw && { options }),
  }
  const body: NewJob = original ? { ...base, reprintOf: original.id } : { ...base, contentType, content: FILE_CONTENT }
  const isComplete = (destination ?? printer) !== undefined && (original !== undefined || document !== undefined)
  const validation = useValidation(isComplete ? body : undefined)
  const isRefused = validation.data?.refusal != null && !validation.isPlaceholderData
  // Consent is to one kind of document on one printer.
  const subject = `${targetId} ${isRaw} ${recognized?.name}`
  const isAsked = isUnknown || needsConsent(validation.data)
  const mayPrint = isComplete && !isRefused && (!isAsked || consent === subject)
  const toBody = async (): Promise<NewJob> =>
    document ? { ...base, contentType, content: await toBase64(document.bytes) } : body

  const choose = (chosen: LocalDocument, printerName?: string) => {
    setDocument(chosen)
    const matching = printers.find(({ name }) => name === printerName)
    if (matching) setTarget(matching.id)
  }
  const setTarget = (id: string) => {
    setTargetId(id)
    // Another printer offers other values.
    setOptions({})
  }
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <form
        className="flex min-w-0 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (mayPrint) submission.submit(toBody)
        }}
      >
        <Panel title={original ? 'Print again' : 'Document'}>
          {original ? (
            <p className="text-sm">
              The stored document of{' '}
              <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: original.id }} className="link">
                {original.title}
              </Link>
            </p>
          ) : (
            <DocumentChoice document={document} onDocument={choose} onClear={() => setDocument(undefined)} />
          )}
        </Panel>
        <Panel title="Printer">
          <SelectField
            label={destinations.length > 0 ? 'Printer or destination' : 'Printer'}
            hint={destination && describePolicy(destination)}
            value={destination?.id ?? printer?.id ?? ''}
            onChange={({ target }) => setTarget(target.value)}
          >
            {!destination && !printer && <option value="">Choose a printer</option>}
            {destinations.length > 0 && (
              <optgroup label="Destinations">
                {destinations.map(({ id, name, enabled }) => (
                  <option key={id} value={id}>
                    {name}
                    {!enabled && ' (disabled)'}
                  </option>
                ))}
              </optgroup>
            )}
            <PrinterOptions printers={printers} />
          </SelectField>
          {isComplete && (
            <Validation
              printerId={printer?.id}
              isRaw={isRaw}
              query={validation}
              fault={isUnknown ? `${describeOther(recognized)}, or print its bytes unchanged.` : undefined}
              hasConsent={consent === subject}
              onConsent={(hasConsent) => setConsent(hasConsent ? subject : '')}
            />
          )}
          <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3">
            <Field
              label="Title"
              maxLength={PRINT_JOB_LIMITS.titleLengthMax - OUTCOME_LENGTH_MAX}
              placeholder={document?.name ?? 'Document'}
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
            <Field
              label="Quantity"
              type="number"
              min={1}
              max={PRINT_JOB_LIMITS.qty.max}
              required
              value={qty}
              onChange={({ target }) => setQty(Number(target.value))}
            />
          </div>
          {isRaw ? (
            <p className="text-sm text-muted">Raw data goes to the printer unchanged, without options.</p>
          ) : (
            printer && <OptionsForm key={printer.id} printer={printer} value={options} onChange={setOptions} />
          )}
          {mode === 'test' && (
            <SelectField
              label="Make it fail"
              hint="A text in the title chooses it, also for your program."
              value={outcome}
              onChange={({ target }) => setOutcome(target.value)}
            >
              <option value="">No: it prints</option>
              {Object.entries(TEST_TITLES).map(([text, meaning]) => (
                <option key={text} value={text}>
                  {text}: {meaning}
                </option>
              ))}
            </SelectField>
          )}
        </Panel>
        {submission.isError && <ErrorPanel title="No job was created." error={submission.error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" disabled={submission.isPending || !mayPrint}>
            {submission.isPending ? 'Sending …' : mode === 'live' ? 'Print (live)' : 'Print (test)'}
          </Button>
          <span className="text-sm text-muted">
            {!original && !document
              ? 'Choose a document.'
              : !destination && !printer
                ? 'Choose a printer.'
                : mode === 'live'
                  ? 'Prints on paper and counts as a print.'
                  : 'Test mode prints nothing on paper.'}
          </span>
        </div>
        <JobCurl
          body={body}
          fileName={original ? undefined : (document?.name ?? 'document.pdf')}
          idempotencyKey={submission.idempotencyKey}
        />
      </form>
      <Panel title="Preview">
        {document ? (
          <DocumentPreview
            document={document}
            options={{ ...printer?.defaultOptions, ...options }}
            qty={qty}
            paper={findPaper(printer, options.paper ?? printer?.defaultOptions.paper)}
            raster={printer?.capabilities?.raster ?? undefined}
          />
        ) : (
          <p className="text-sm text-muted">
            {original ? 'The page of the job shows the stored document.' : 'Choose a document to see how it comes out.'}
          </p>
        )}
      </Panel>
    </div>
  )
}

interface DocumentChoiceProps {
  document: LocalDocument | undefined
  onDocument(document: LocalDocument, printerName?: string): void
  onClear(): void
}

function DocumentChoice({ document, onDocument, onClear }: DocumentChoiceProps) {
  const [isPasting, setIsPasting] = useState(false)
  if (document)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="font-medium">{document.name}</span>
        <span className="text-muted">{document.bytes.length.toLocaleString()} bytes</span>
        <Button onClick={onClear}>Change</Button>
      </div>
    )
  return (
    <>
      <DropArea onDocument={onDocument} />
      {isPasting && <PasteArea onDocument={onDocument} />}
      <div className="flex flex-wrap items-center gap-2 text-sm">
        {!isPasting && <Button onClick={() => setIsPasting(true)}>Paste raw data</Button>}
        {SAMPLES.map((sample) => (
          <Button
            key={sample.label}
            onClick={() => onDocument({ name: sample.name, bytes: sample.bytes }, sample.printerName)}
          >
            Sample {sample.label.toLowerCase()}
          </Button>
        ))}
      </div>
    </>
  )
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="panel min-w-0">
      <h2 className="panel-title border-b px-4 py-2">{title}</h2>
      <div className="flex flex-col gap-4 p-4">{children}</div>
    </section>
  )
}

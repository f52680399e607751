import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import { ACTIVE } from '../../../api/job-filters.ts'
import { useComputers, useLive, usePrinters, useResource } from '../../../api/live.tsx'
import type { Printer } from '../../../api/resources.ts'
import { useJobs } from '../../../api/use-jobs.ts'
import { useDevice } from '../../../api/use-one.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { isNotFound, NotHere } from '../../../ui/not-here.tsx'
import { Section } from '../../../ui/section.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { AlertButton } from '../../alerts/alert-button.tsx'
import { JobList } from '../../jobs/job-list.tsx'
import { JobFigures } from '../../usage/statistics/job-figures.tsx'
import { EnabledSwitch } from '../enabled-switch.tsx'
import { PrinterState } from '../printer-options.tsx'
import { describeReasons } from '../reasons.ts'
import { Capabilities } from './capabilities.tsx'
import { isRawPrinter, Language } from './language.tsx'
import { PrinterForm } from './printer-form.tsx'
import { PurgeDialog } from './purge-dialog.tsx'
import { RawQueue } from './raw-queue.tsx'
import { StateHistory } from './state-history.tsx'

const AddToComputerDialog = lazy(async () => ({
  default: (await import('../../print-access/add-to-computer-dialog.tsx')).AddToComputerDialog,
}))
const TestPageDialog = lazy(async () => ({ default: (await import('./test-page-dialog.tsx')).TestPageDialog }))

const QUEUE_LIMIT = 100
const RECENT_LIMIT = 20

export function PrinterPage() {
  const { printerId: id } = useParams({ from: '/$mode/printers/$printerId' })
  const { isPermitted, mode, session } = useLive()
  const params = { path: { id } }
  const call = ((api) => api.GET('/v1/printers/{id}', { params })) as Call<Printer>
  const { query, known } = useDevice('printer', id, call)
  const title = known?.displayName ?? 'Printer'
  const [opened, setOpened] = useState<'purge' | 'test' | 'add'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHeader title={title} path={[{ label: 'Printers', to: '/$mode/printers' }]}>
        <Link to="/$mode/print" params={{ mode }} search={{ printer: id }} className="button button-primary">
          Print here
        </Link>
        <Button onClick={() => setOpened('test')} disabled={!known}>
          Print a test page
        </Button>
        {session.offers.ipp && (
          <Button onClick={() => setOpened('add')} disabled={!known}>
            Add to a computer
          </Button>
        )}
        <AlertButton device={{ printerId: id, computerId: null }} />
        <Button
          onClick={() => setOpened('purge')}
          disabledReason={
            isPermitted('purgePrinter') ? undefined : 'Only owners and admins can cancel the jobs of a printer.'
          }
        >
          Cancel all jobs
        </Button>
      </PageHeader>
      <div className="p-4">
        {isNotFound(query.error) ? (
          <NotHere id={id} what="printer" listed={{ to: '/$mode/printers' }}>
            All printers
          </NotHere>
        ) : (
          <Loaded query={query} failure="The printer could not be loaded.">
            {(loaded) => <PrinterDetails key={id} printer={known ?? loaded} />}
          </Loaded>
        )}
      </div>
      <Suspense>
        {opened === 'test' && known && <TestPageDialog printer={known} onClose={close} />}
        {opened === 'add' && known && <AddToComputerDialog added={{ printer: known }} onClose={close} />}
      </Suspense>
      {opened === 'purge' && known && <PurgeDialog printer={known} onClose={close} />}
    </>
  )
}

function PrinterDetails({ printer }: { printer: Printer }) {
  const { mode } = useLive()
  useComputers()
  usePrinters()
  const computer = useResource('computer', printer.computerId)
  const reasons = describeReasons(printer)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <PrinterState printer={printer} />
        {reasons && <span className="text-warn">{reasons}</span>}
        <EnabledSwitch printer={printer} />
        <span>
          <span className="text-muted">of computer</span>{' '}
          <Link
            to="/$mode/computers/$computerId"
            params={{ mode, computerId: printer.computerId }}
            className="hover:underline"
          >
            {computer?.name ?? '…'}
          </Link>
        </span>
        <CopyableId id={printer.id} number={printer.number} />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Queue id={printer.id} />
          <RecentJobs id={printer.id} />
          <JobFigures device={{ printerId: printer.id }} />
          <StateHistory printer={printer} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {mode === 'live' && isRawPrinter(printer) && (
            <>
              <Language printer={printer} />
              <RawQueue printer={printer} />
            </>
          )}
          <PrinterForm printer={printer} />
          <Tabs
            label="More about the printer"
            tabs={[
              ...(printer.capabilities ? [{ label: 'Capabilities', content: <Capabilities printer={printer} /> }] : []),
              {
                label: 'JSON',
                content: <CodeBlock label="The printer as the API shows it" code={JSON.stringify(printer, null, 2)} />,
              },
            ]}
          />
        </div>
      </div>
    </div>
  )
}

function Queue({ id }: { id: string }) {
  const query = useJobs({ query: { state: ACTIVE, printerId: id }, dir: 'asc', limit: QUEUE_LIMIT })
  return (
    <Section title="Queue" isFlush>
      <Loaded query={query} failure="The queue could not be loaded.">
        {({ ids, hasMore }) =>
          ids.length === 0 ? (
            <p className="p-4 text-sm text-muted">No job waits or prints.</p>
          ) : (
            <>
              <JobList label="Queue" ids={ids} isNumbered hasPrinter={false} />
              {hasMore && <p className="p-3 text-xs text-muted">The first {QUEUE_LIMIT} jobs are shown.</p>}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function RecentJobs({ id }: { id: string }) {
  const { mode } = useLive()
  const query = useJobs({ query: { printerId: id }, dir: 'desc', limit: RECENT_LIMIT })
  return (
    <Section
      title="Recent jobs"
      isFlush
      actions={
        <Link
          to="/$mode/jobs"
          params={{ mode }}
          search={{ state: 'all', printer: id }}
          className="link text-sm"
          preload={false}
        >
          All jobs of this printer
        </Link>
      }
    >
      <Loaded query={query} failure="The recent jobs could not be loaded.">
        {({ ids }) =>
          ids.length === 0 ? (
            <p className="p-4 text-sm text-muted">No job was sent to this printer yet.</p>
          ) : (
            <JobList label="Recent jobs" ids={ids} hasPrinter={false} />
          )
        }
      </Loaded>
    </Section>
  )
}

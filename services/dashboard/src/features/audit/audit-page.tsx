import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { auditQuery } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock } from '../../ui/time.tsx'
import { describeAction, describeOutcome, WITHOUT_TARGET } from './actions.ts'
import { toAuditQuery } from './audit-filters.ts'
import { type Changes, FilterBar } from './filter-bar.tsx'

export function AuditPage() {
  const live = useLive()
  const filters = useSearch({ from: '/plain/settings/audit' })
  const navigate = useNavigate({ from: '/settings/audit' })
  const isAdmin = live.isPermitted('listAudit')
  const query = usePages(auditQuery(live, toAuditQuery(filters)))
  const { action, actor, from, to } = filters
  const filter = (changes: Changes) =>
    navigate({ search: ({ org }) => ({ org, action, actor, from, to, ...changes }), replace: true })
  return (
    <>
      <SettingsHeader title="Audit log" />
      {!isAdmin ? (
        <Empty title="Only owners and admins can see the audit log" />
      ) : (
        <>
          <FilterBar
            filters={filters}
            actorName={query.data?.find((entry) => entry.actor.id === actor)?.actor.name}
            onChange={filter}
          />
          <Loaded query={query} failure="The audit log could not be loaded.">
            {(entries) =>
              entries.length === 0 ? (
                <Empty title={(action ?? actor ?? from ?? to) ? 'No entry matches the filters' : 'No entries'}>
                  Sign-ins and changes of keys, members, printers, computers and webhooks are recorded here.
                </Empty>
              ) : (
                <div className="section-table bg-surface">
                  <Table
                    label="Audit log"
                    columns={[
                      { label: 'Time', className: 'hidden w-40 sm:table-cell' },
                      { label: 'Entry', className: 'max-sm:pl-4' },
                      { label: 'Operation', className: 'hidden w-44 md:table-cell' },
                      { label: 'Outcome', className: 'w-24 sm:w-36' },
                      { label: 'IP address', className: 'hidden w-32 xl:table-cell' },
                      { label: 'Request', className: 'hidden w-20 xl:table-cell' },
                    ]}
                  >
                    {entries.map((entry) => (
                      <AuditRow key={entry.id} entry={entry} onFilter={filter} />
                    ))}
                  </Table>
                </div>
              )
            }
          </Loaded>
          <div className="p-4">
            <More query={query} />
          </div>
        </>
      )}
    </>
  )
}

/** The actions of targets that have a page of their own. */
const LINKED = /^(?!delete).*(PrintJob|Printer|Computer|Webhook|Agent)/

interface AuditRowProps {
  entry: AuditEntry
  onFilter(changes: Changes): void
}

function AuditRow({ entry, onFilter }: AuditRowProps) {
  const { at, actor, action, target, targetName, mode, outcome, requestId, ip } = entry
  return (
    <tr data-action={action}>
      <td className="hidden text-muted sm:table-cell">
        <Clock time={at} isDated />
      </td>
      <td className="py-1.5 whitespace-normal! max-sm:pl-4">
        {actor.id === null ? (
          toActor(actor)
        ) : (
          <FilterButton onClick={() => onFilter({ actor: actor.id ?? undefined })}>{toActor(actor)}</FilterButton>
        )}{' '}
        {describeAction(entry)}{' '}
        {WITHOUT_TARGET.has(action) ? null : target && LINKED.test(action) ? (
          <Link to="/go/$id" params={{ id: target }} preload={false} className="link">
            {targetName ?? target}
          </Link>
        ) : targetName === null ? (
          <span className="id">{target}</span>
        ) : (
          `“${targetName}”`
        )}
        {mode === 'test' && <span className="text-muted"> in test mode</span>}
        <span className="block text-xs text-muted sm:hidden">
          <Clock time={at} isDated />
        </span>
      </td>
      <td className="hidden md:table-cell">
        <FilterButton onClick={() => onFilter({ action })}>
          <span className="id">{action}</span>
        </FilterButton>
      </td>
      <td
        className={outcome === 'ok' ? 'text-ok' : outcome === null ? 'text-warn' : 'text-error'}
        title={outcome ?? 'The action is still running, or the service stopped meanwhile. It may have happened.'}
      >
        {describeOutcome(outcome)}
      </td>
      <td className="hidden text-muted xl:table-cell">{ip}</td>
      <td className="hidden xl:table-cell">
        {requestId && <CopyButton isCompact text={requestId} label="Copy request id" />}
      </td>
    </tr>
  )
}

function toActor({ kind, name }: AuditEntry['actor']): string {
  if (kind === 'key') return `Key “${name}”`
  if (kind === 'operator') return 'An operator'
  return kind === 'token' ? 'An enrolment token' : name
}

function FilterButton({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" className="min-h-6 max-w-full text-left font-medium hover:underline" onClick={onClick}>
      {children}
    </button>
  )
}

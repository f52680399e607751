import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AuditEntry } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { auditQuery, loadAudit } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock } from '../../ui/time.tsx'
import { describeAction, WITHOUT_TARGET } from './actions.ts'
import { ExportButton } from './export-button.tsx'

export function AuditPage() {
  const live = useLive()
  const { action, actor } = useSearch({ from: '/plain/settings/audit' })
  const navigate = useNavigate({ from: '/settings/audit' })
  const isAdmin = live.isPermitted('listAudit')
  const query = usePages(auditQuery(live, { action, actor }))
  const filter = (changes: { action?: string | undefined; actor?: string | undefined }) =>
    navigate({ search: ({ org }) => ({ org, action, actor, ...changes }), replace: true })
  return (
    <>
      <SettingsHeader title="Audit log" />
      {!isAdmin ? (
        <Empty title="Only owners and admins can see the audit log" />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2">
            <ActionFilter
              key={action}
              action={action ?? ''}
              onChange={(text) => filter({ action: text || undefined })}
            />
            {actor && (
              <Button onClick={() => filter({ actor: undefined })}>
                Actor {query.data?.find((entry) => entry.actor.id === actor)?.actor.name ?? actor}
                <X size={14} aria-label="Remove the filter" />
              </Button>
            )}
            <span className="text-xs text-muted">Kept for 400 days.</span>
            <ExportButton load={loadAudit({ action, actor })} />
          </div>
          <Loaded query={query} failure="The audit log could not be loaded.">
            {(entries) =>
              entries.length === 0 ? (
                <Empty title={action || actor ? 'No entry matches the filter' : 'No entries'}>
                  Sign-ins and changes of keys, members, printers, computers and webhooks are recorded here.
                </Empty>
              ) : (
                <div className="section-table bg-surface">
                  <Table
                    label="Audit log"
                    columns={[
                      { label: 'Time', className: 'hidden w-32 sm:table-cell' },
                      { label: 'Entry' },
                      { label: 'Operation', className: 'hidden w-44 md:table-cell' },
                      { label: 'Outcome', className: 'w-24 sm:w-36' },
                      { label: 'From', className: 'hidden w-32 xl:table-cell' },
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

/** Of targets that have a page of their own. */
const LINKED = /PrintJob|Printer|Computer|Webhook|Agent/

interface AuditRowProps {
  entry: AuditEntry
  onFilter(changes: { action?: string; actor?: string | undefined }): void
}

function AuditRow({ entry, onFilter }: AuditRowProps) {
  const { at, actor, action, target, targetName, mode, outcome, requestId, ip } = entry
  const actorName = actor.kind === 'key' ? `Key “${actor.name}”` : actor.name
  return (
    <tr data-action={action}>
      <td className="hidden text-muted sm:table-cell">
        <Clock time={at} />
      </td>
      <td className="py-1.5 whitespace-normal!">
        {actor.id === null ? (
          actorName
        ) : (
          <FilterButton onClick={() => onFilter({ actor: actor.id ?? undefined })}>{actorName}</FilterButton>
        )}{' '}
        {describeAction(action)}{' '}
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
          <Clock time={at} />
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
        {outcome ?? 'outcome unknown'}
      </td>
      <td className="hidden text-muted xl:table-cell">{ip}</td>
      <td className="hidden xl:table-cell">
        {requestId && <CopyButton isCompact text={requestId} label="Copy request id" />}
      </td>
    </tr>
  )
}

function FilterButton({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" className="min-h-6 max-w-full text-left font-medium hover:underline" onClick={onClick}>
      {children}
    </button>
  )
}

/** Applied by Enter. */
function ActionFilter({ action, onChange }: { action: string; onChange(action: string): void }) {
  const [text, setText] = useState(action)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(text.trim())
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-2">
      <input
        type="search"
        className="input w-64"
        aria-label="Action"
        placeholder="Action, such as createApiKey"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => text.trim() !== action && onChange(text.trim())}
      />
    </form>
  )
}

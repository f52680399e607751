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
                    minWidth="min-w-160"
                    columns={[
                      { label: 'Time', className: 'w-32' },
                      { label: 'Actor', className: 'w-[24%]' },
                      { label: 'Action', className: 'w-[18%]' },
                      { label: 'Target' },
                      { label: 'Outcome', className: 'w-36' },
                      { label: 'From', className: 'hidden w-32 lg:table-cell' },
                      { label: 'Request', className: 'hidden w-20 lg:table-cell' },
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

interface AuditRowProps {
  entry: AuditEntry
  onFilter(changes: { action?: string; actor?: string | undefined }): void
}

function AuditRow({ entry, onFilter }: AuditRowProps) {
  const { at, actor, action, target, targetName, mode, outcome, requestId, ip } = entry
  return (
    <tr data-action={action}>
      <td>
        <Clock time={at} />
      </td>
      <td title={actor.name}>
        {actor.id === null ? (
          actor.name
        ) : (
          <FilterButton onClick={() => onFilter({ actor: actor.id ?? undefined })}>
            {actor.kind === 'key' && 'key '}
            {actor.name}
          </FilterButton>
        )}
      </td>
      <td>
        <FilterButton onClick={() => onFilter({ action })}>{action}</FilterButton>
        {mode && <span className="text-muted"> {mode}</span>}
      </td>
      <td title={targetName ?? target ?? undefined}>
        {targetName ??
          (target && (
            <Link to="/go/$id" params={{ id: target }} preload={false} className="id hover:underline">
              {target}
            </Link>
          ))}
      </td>
      <td
        className={outcome === 'ok' ? 'text-ok' : outcome === null ? 'text-warn' : 'text-error'}
        title={outcome ?? 'The action is still running, or the service stopped meanwhile. It may have happened.'}
      >
        {outcome ?? 'outcome unknown'}
      </td>
      <td className="hidden text-muted lg:table-cell">{ip}</td>
      <td className="hidden lg:table-cell">
        {requestId && <CopyButton isCompact text={requestId} label="Copy request id" />}
      </td>
    </tr>
  )
}

function FilterButton({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" className="min-h-6 max-w-full truncate text-left hover:underline" onClick={onClick}>
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

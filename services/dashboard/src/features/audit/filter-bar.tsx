import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useLive } from '../../api/live.tsx'
import { loadAudit, membersQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect, TimeFilter } from '../../ui/field.tsx'
import { FoldedFilters } from '../../ui/folded-filters.tsx'
import { ACTION_NAMES, ACTIONS } from './actions.ts'
import { type AuditFilters, toAuditQuery } from './audit-filters.ts'
import { ExportButton } from './export-button.tsx'

interface FilterBarProps {
  filters: AuditFilters
  /** From an entry. Undefined without one. */
  actorName: string | undefined
  onChange(changes: Changes): void
}

export type Changes = { [Name in keyof AuditFilters]: string | undefined }

const UNFILTERED: Changes = { action: undefined, actor: undefined, from: undefined, to: undefined }

export function FilterBar({ filters, actorName, onChange }: FilterBarProps) {
  const { action, actor, from, to } = filters
  const chosen = [action, actor, from ?? to].filter((one) => one !== undefined).length
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2">
      <FoldedFilters chosen={chosen}>
        <FilterSelect
          label="Action"
          value={action ?? ''}
          onChange={({ target }) => onChange({ action: target.value || undefined })}
        >
          <option value="">All actions</option>
          {action && !(action in ACTIONS) && <option>{action}</option>}
          {ACTION_NAMES.map(({ action, name }) => (
            <option key={action} value={action}>
              {name}
            </option>
          ))}
        </FilterSelect>
        <TimeFilter
          label="From"
          type="date"
          value={from ?? ''}
          onChange={(day) => onChange({ from: day || undefined, ...(to && day > to && { to: undefined }) })}
        />
        <TimeFilter
          label="to"
          type="date"
          value={to ?? ''}
          onChange={(day) => onChange({ to: day || undefined, ...(from && day && day < from && { from: undefined }) })}
        />
        {actor && <ActorFilter id={actor} name={actorName} onRemove={() => onChange({ actor: undefined })} />}
      </FoldedFilters>
      {chosen > 0 && (
        <Button variant="quiet" onClick={() => onChange(UNFILTERED)}>
          <X size={14} aria-hidden />
          Clear filters
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <span className="hidden text-xs text-muted lg:inline">Kept for 400 days by default.</span>
        <ExportButton load={loadAudit(toAuditQuery(filters))} />
      </span>
    </div>
  )
}

interface ActorFilterProps {
  id: string
  name: string | undefined
  onRemove(): void
}

function ActorFilter({ id, name, onRemove }: ActorFilterProps) {
  const members = useQuery({ ...membersQuery(useLive()), enabled: name === undefined })
  const member = members.data?.data.find(({ userId }) => userId === id)
  return (
    <Button className="min-w-0" onClick={onRemove}>
      <span className="truncate">By {name ?? member?.email ?? id}</span>
      <X size={14} aria-label="Remove the filter" className="shrink-0" />
    </Button>
  )
}

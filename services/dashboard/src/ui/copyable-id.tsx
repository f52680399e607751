import { CopyButton } from './copy.tsx'

interface CopyableIdProps {
  id: string
  /** The number of a job, printer or computer; null for jobs of release 0.1.0. */
  number?: number | null
  label?: string
  /** The key that copies it. */
  shortcut?: string
}

export function CopyableId({ id, number, label = 'Copy id', shortcut }: CopyableIdProps) {
  return (
    <span className="flex items-center gap-1">
      {number && <span className="font-medium">#{number}</span>}
      <span className="id">{id}</span>
      <CopyButton isCompact text={id} label={label} shortcut={shortcut} />
    </span>
  )
}

import { CopyButton } from './copy.tsx'

interface CopyableIdProps {
  id: string
  label?: string
  /** The key that copies it. */
  shortcut?: string
}

export function CopyableId({ id, label = 'Copy id', shortcut }: CopyableIdProps) {
  return (
    <span className="flex items-center gap-1">
      <span className="id">{id}</span>
      <CopyButton isCompact text={id} label={label} shortcut={shortcut} />
    </span>
  )
}

// From their own modules, because the sign-in page loads them without the other icons.
import Check from 'lucide-react/icons/check'
import CopyIcon from 'lucide-react/icons/copy'
import { useState } from 'react'
import { announce } from './announce.tsx'
import { Button } from './button.tsx'

/**
 * It works without `navigator.clipboard` as well, which browsers offer on encrypted pages only.
 *
 * @throws if nothing was copied.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.className = 'fixed opacity-0'
  // A modal dialog makes everything outside of it inert.
  const host = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  host.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('the browser did not copy')
}

interface CopyButtonProps {
  text: string
  /** What is copied: "Copy id". */
  label: string
  /** Shows the icon only. */
  isCompact?: boolean
  /** A key. */
  shortcut?: string
  variant?: 'normal' | 'primary' | 'quiet'
  onCopied?: () => void
}

export function CopyButton({
  text,
  label,
  isCompact = false,
  shortcut,
  variant = isCompact ? 'quiet' : 'normal',
  onCopied,
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const Icon = state === 'copied' ? Check : CopyIcon
  const copy = async () => {
    try {
      await copyText(text)
      setState('copied')
      announce('Copied')
      onCopied?.()
    } catch {
      setState('failed')
    }
  }
  if (state === 'failed')
    return (
      <input
        className="input w-auto font-mono text-xs"
        readOnly
        aria-label={`${label}: press Ctrl+C`}
        value={text}
        ref={(field) => field?.select()}
        onBlur={() => setState('idle')}
      />
    )
  return (
    <Button
      variant={variant}
      className={isCompact ? 'min-h-6 min-w-6 px-1' : ''}
      aria-label={isCompact ? label : undefined}
      title={isCompact ? label : undefined}
      aria-keyshortcuts={shortcut}
      onClick={copy}
      onBlur={() => setState('idle')}
    >
      <Icon size={14} aria-hidden />
      {!isCompact && (state === 'copied' ? 'Copied' : label)}
    </Button>
  )
}

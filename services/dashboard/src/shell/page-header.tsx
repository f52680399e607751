import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useLive } from '../api/live.tsx'
import { LiveIndicator } from './live-indicator.tsx'

interface PageHeaderProps {
  /** It is the title of the tab as well. */
  title: string
  /** The pages above this one. Their parameters are those of this page. */
  path?: readonly { label: string; to: LinkProps['to'] }[]
  /** Whether the page has a mode and follows the feed. */
  isLive?: boolean
  children?: ReactNode
}

/** The first line of every page. */
export function PageHeader({ title, path = [], isLive = true, children }: PageHeaderProps) {
  const { mode } = useLive()
  const isTest = isLive && mode === 'test'
  useEffect(() => {
    document.title = `${isTest ? 'TEST · ' : ''}${title} · Platen`
  }, [title, isTest])
  return (
    <header className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-4 py-2">
      <h1 className="flex min-w-0 items-center gap-1.5 text-base font-semibold">
        {path.map(({ label, to }) => (
          <span key={label} className="flex shrink-0 items-center gap-1.5 text-muted">
            <Link to={to} params={true as never} className="hover:underline">
              {label}
            </Link>
            <ChevronRight size={14} aria-hidden />
          </span>
        ))}
        <span className="line-clamp-2" title={path.length > 0 ? title : undefined}>
          {title}
        </span>
      </h1>
      {isTest && <span className="hidden rounded bg-warn-soft px-1.5 text-xs font-bold text-warn md:inline">TEST</span>}
      {isLive && <LiveIndicator />}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  )
}

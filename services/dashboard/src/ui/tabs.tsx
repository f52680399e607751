import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

interface Tab {
  label: string
  content: ReactNode
}

/** The content of a tab is mounted when it is opened. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [selected, setSelected] = useState(0)
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = (selected + step + tabs.length) % tabs.length
    setSelected(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className="panel">
      <div role="tablist" aria-label={label} className="flex flex-wrap gap-1 border-b px-2" onKeyDown={move}>
        {tabs.map((tab, index) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === selected}
            aria-controls={`${id}-panel`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
            className={`-mb-px min-h-9 border-b-2 px-2 text-sm font-medium ${
              index === selected ? 'border-accent' : 'border-transparent text-muted hover:text-text'
            }`}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} className="p-4">
        {tabs[selected]?.content}
      </div>
    </div>
  )
}

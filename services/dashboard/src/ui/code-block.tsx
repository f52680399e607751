import { CopyButton } from './copy.tsx'

interface CodeBlockProps {
  /** What it is: "JSON of the job". */
  label: string
  code: string
}

export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <span className="text-xs font-medium text-muted">{label}</span>
        <CopyButton isCompact text={code} label={`Copy: ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="code max-h-96" tabIndex={0}>
        {code}
      </pre>
    </div>
  )
}

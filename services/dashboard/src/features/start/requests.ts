/** A job as programs of integrators send it, with the document from a file. */
import { quote } from '../../api/client.ts'

export interface ShownJob {
  /** The name of the printer. */
  printer: string
  title: string
  fileName: string
}

export const toCommand = ({ printer, title, fileName }: ShownJob): string =>
  `platen print ${quote(fileName)} -d ${quote(printer)} -t ${quote(title)} --wait`

/** JSON of texts is valid in both languages. */
const toTexts = ({ printer, title, fileName }: ShownJob) => ({
  printer: JSON.stringify(printer),
  title: JSON.stringify(title),
  file: JSON.stringify(fileName),
})

export function toTypeScript(shown: ShownJob): string {
  const { printer, title, file } = toTexts(shown)
  return `import { Platen } from '@platen/sdk'

const platen = new Platen()
const job = await platen.printJobs.create({ printer: ${printer}, title: ${title}, path: ${file} })
const { state } = await job.wait()
console.log(state)`
}

export function toPython(shown: ShownJob): string {
  const { printer, title, file } = toTexts(shown)
  return `from platen_print import Platen

platen = Platen()
job = platen.print_jobs.create(printer=${printer}, title=${title}, file=${file})
print(job.wait().state)`
}

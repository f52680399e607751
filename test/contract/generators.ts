/**
 * Generators of clients that people use, with a program for each client: it lists the printers, creates a job for the
 * first one in test mode by PLATEN_URL and PLATEN_KEY, and prints the id of the job. Used by `main.ts`.
 */

/** A toolchain that a developer of a client has, by its program. */
export type Toolchain = 'npm' | 'python3' | 'java' | 'mvn' | 'go'

/** `PYTHON` and `GENERATOR` in a command are the programs that `main.ts` installs. */
export interface Generator {
  name: string
  needs: Toolchain[]
  /** Files in the folder of the client before the first command, by their path. */
  files: Record<string, string>
  /** Run one after the other in the folder. */
  commands: string[][]
  /** Runs the program. */
  run: string[]
}

/** Versions at which this is shown. */
export const PYTHON_PACKAGES = [
  'openapi-generator-cli==7.26.0',
  'openapi-python-client==0.29.1',
  'ruff==0.17.6',
  'schemathesis==4.32.5',
]
const NPM_PACKAGES = {
  '@hey-api/openapi-ts': '0.99.0',
  '@types/node': '24.19.2',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  // The generators crash with TypeScript 7.
  typescript: '5.9.3',
}

const DOCUMENT = '../openapi.json'
const PDF = '%PDF-1.7\n%%EOF\n'
const CONTENT = Buffer.from(PDF).toString('base64')
const TITLE = 'Generated client'
/** Without it some generators import the types of forms and leave them out. */
const WITH_FORMS = '--global-property=skipFormModel=false,models,apis,supportingFiles'
/** Goal of Maven. */
const EXECUTE = 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java'

const NPM_FILES = {
  'package.json': JSON.stringify({ private: true, type: 'module', dependencies: NPM_PACKAGES }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
      ...{ module: 'nodenext', moduleResolution: 'nodenext', strict: true, skipLibCheck: true, outDir: 'dist' },
    },
    include: ['*.ts', 'client'],
  }),
}
const NPM_INSTALL = ['npm', 'install', '--no-audit', '--no-fund', '--silent']
const COMPILE = ['npx', 'tsc']

const openapiFetch: Generator = {
  name: 'openapi-typescript with openapi-fetch',
  needs: ['npm'],
  files: {
    ...NPM_FILES,
    'print.ts': `
import createClient from 'openapi-fetch'
import type { paths } from './client.js'

const headers = { authorization: \`Bearer \${process.env.PLATEN_KEY}\` }
const platen = createClient<paths>({ baseUrl: process.env.PLATEN_URL ?? '', headers })
const { data: printers } = await platen.GET('/v1/printers')
const printerId = printers?.data[0]?.id ?? ''
const body = { printerId, title: '${TITLE}', contentType: 'pdf_base64', content: '${CONTENT}' } as const
const { data: job, error } = await platen.POST('/v1/printjobs', { body })
if (!job) throw new Error(error.error.message)
console.log(job.id)
`,
  },
  commands: [
    NPM_INSTALL,
    ['npx', 'openapi-typescript', DOCUMENT, '--default-non-nullable=false', '-o', 'client.ts'],
    COMPILE,
  ],
  run: ['node', 'dist/print.js'],
}

const heyApi: Generator = {
  name: 'hey-api',
  needs: ['npm'],
  files: {
    ...NPM_FILES,
    'print.ts': `
import { client } from './client/client.gen.js'
import { createPrintJob, listPrinters } from './client/sdk.gen.js'

client.setConfig({ baseUrl: process.env.PLATEN_URL ?? '', auth: process.env.PLATEN_KEY ?? '' })
const { data: printers } = await listPrinters({ throwOnError: true })
const printerId = printers.data[0]?.id ?? ''
const body = { printerId, title: '${TITLE}', contentType: 'pdf_base64', content: '${CONTENT}' } as const
const { data: job } = await createPrintJob({ body, throwOnError: true })
console.log(job.id)
`,
  },
  commands: [NPM_INSTALL, ['npx', 'openapi-ts', '-i', DOCUMENT, '-o', 'client'], COMPILE],
  run: ['node', 'dist/print.js'],
}

const typescriptFetch: Generator = {
  name: 'openapi-generator typescript-fetch',
  needs: ['npm', 'python3', 'java'],
  files: {
    ...NPM_FILES,
    'print.ts': `
import { Configuration, PrintersApi, PrintJobsApi } from './client/index.js'

const settings = new Configuration({ basePath: process.env.PLATEN_URL ?? '', accessToken: process.env.PLATEN_KEY ?? '' })
const printers = await new PrintersApi(settings).listPrinters()
const printerId = printers.data[0]?.id ?? ''
const printJobRequest = { printerId, title: '${TITLE}', contentType: 'pdf_base64', content: '${CONTENT}' } as const
const job = await new PrintJobsApi(settings).createPrintJob({ printJobRequest })
console.log(job.id)
`,
  },
  commands: [
    NPM_INSTALL,
    [
      ...['GENERATOR', 'generate', '-g', 'typescript-fetch', '-i', DOCUMENT, '-o', 'client'],
      ...['--additional-properties=importFileExtension=.js', WITH_FORMS],
    ],
    COMPILE,
  ],
  run: ['node', 'dist/print.js'],
}

const pythonClient: Generator = {
  name: 'openapi-python-client',
  needs: ['python3'],
  files: {
    'print.py': `
import os
from platen_api_client import AuthenticatedClient
from platen_api_client.api.print_jobs import create_print_job
from platen_api_client.api.printers import list_printers
from platen_api_client.models import PrintJobRequest, PrintJobRequestContentTypeType0

with AuthenticatedClient(base_url=os.environ["PLATEN_URL"], token=os.environ["PLATEN_KEY"]) as platen:
    printer = list_printers.sync(client=platen).data[0]
    content_type = PrintJobRequestContentTypeType0.PDF_BASE64
    body = PrintJobRequest(printer_id=printer.id, title="${TITLE}", content_type=content_type, content="${CONTENT}")
    print(create_print_job.sync(client=platen, body=body).id)
`,
  },
  commands: [
    ['PYTHON', '-m', 'openapi_python_client', 'generate', '--path', DOCUMENT, '--output-path', 'client'],
    ['PYTHON', '-m', 'compileall', '-q', 'client'],
  ],
  run: ['env', 'PYTHONPATH=client', 'PYTHON', 'print.py'],
}

const python: Generator = {
  name: 'openapi-generator python',
  needs: ['python3', 'java'],
  files: {
    'print.py': `
import os
from openapi_client import ApiClient, Configuration, PrintersApi, PrintJobRequest, PrintJobsApi

settings = Configuration(host=os.environ["PLATEN_URL"], access_token=os.environ["PLATEN_KEY"])
with ApiClient(settings) as platen:
    printer = PrintersApi(platen).list_printers().data[0]
    request = PrintJobRequest(printerId=printer.id, title="${TITLE}", contentType="pdf_base64", content="${CONTENT}")
    print(PrintJobsApi(platen).create_print_job(request).id)
`,
  },
  commands: [
    ['GENERATOR', 'generate', '-g', 'python', '-i', DOCUMENT, '-o', 'client'],
    ['PYTHON', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'client/requirements.txt'],
    ['PYTHON', '-m', 'compileall', '-q', 'client'],
  ],
  run: ['env', 'PYTHONPATH=client', 'PYTHON', 'print.py'],
}

const go: Generator = {
  name: 'openapi-generator go',
  needs: ['python3', 'java', 'go'],
  files: {
    'client/cmd/print/main.go': `
package main

import (
	"context"
	"fmt"
	"os"

	platen "example.com/platen"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	settings := platen.NewConfiguration()
	settings.Servers = platen.ServerConfigurations{{URL: os.Getenv("PLATEN_URL")}}
	client := platen.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), platen.ContextAccessToken, os.Getenv("PLATEN_KEY"))
	printers := must(client.PrintersAPI.ListPrinters(ctx).Execute())
	request := platen.NewPrintJobRequest(printers.Data[0].Id, "${TITLE}")
	request.SetContentType("pdf_base64")
	request.SetContent("${CONTENT}")
	job := must(client.PrintJobsAPI.CreatePrintJob(ctx).PrintJobRequest(*request).Execute())
	fmt.Println(job.Id)
}
`,
  },
  commands: [
    [
      ...['GENERATOR', 'generate', '-g', 'go', '-i', DOCUMENT, '-o', 'client'],
      '--additional-properties=packageName=platen,useOneOfDiscriminatorLookup=true',
      // Its tests import a module that does not exist.
      '--global-property=apiTests=false,modelTests=false',
    ],
    ['go', '-C', 'client', 'mod', 'edit', '-module', 'example.com/platen'],
    ['go', '-C', 'client', 'mod', 'tidy'],
    ['go', '-C', 'client', 'build', '-o', 'print', './cmd/print'],
  ],
  run: ['client/print'],
}

const java: Generator = {
  name: 'openapi-generator java',
  needs: ['python3', 'java', 'mvn'],
  files: {
    'client/src/main/java/Print.java': `
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PrintJobsApi;
import org.openapitools.client.api.PrintersApi;
import org.openapitools.client.model.PrintJobRequest;

public class Print {
  public static void main(String[] args) throws Exception {
    ApiClient platen = new ApiClient();
    platen.updateBaseUri(System.getenv("PLATEN_URL"));
    platen.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("PLATEN_KEY")));
    var printers = new PrintersApi(platen).listPrinters(null, null, null, null);
    var request = new PrintJobRequest().printerId(printers.getData().get(0).getId()).title("${TITLE}")
        .contentType(PrintJobRequest.ContentTypeEnum.PDF_BASE64).content("${CONTENT}");
    System.out.println(new PrintJobsApi(platen).createPrintJob(request, null).getId());
  }
}
`,
  },
  commands: [
    [...['GENERATOR', 'generate', '-g', 'java', '--library', 'native', '-i', DOCUMENT, '-o', 'client'], WITH_FORMS],
    ['mvn', '--quiet', '--batch-mode', '-f', 'client', 'compile'],
  ],
  run: ['mvn', '--quiet', '--batch-mode', '-f', 'client', EXECUTE, '-Dexec.mainClass=Print'],
}

export const GENERATORS: Generator[] = [openapiFetch, heyApi, typescriptFetch, pythonClient, python, go, java]

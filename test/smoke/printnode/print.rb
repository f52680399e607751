# Prints by the official Ruby library. Arguments: address, key, folder of the library. Writes what it received as JSON.
url, key, folder = ARGV
$LOAD_PATH.unshift(File.join(folder, 'lib'))
require 'printnode'
require 'tempfile'

client = PrintNode::Client.new(PrintNode::Auth.new(key), url)
printer = client.printers[0]
# A file, because the library breaks its base64 into lines.
pdf = Tempfile.new('invoice')
pdf.write("%PDF-1.7\n" * 20)
pdf.close
client.create_printjob(PrintNode::PrintJob.new(printer.id, 'Größe für Zoë: 5 €', 'pdf_base64', pdf.path, 'shop'),
                       'options' => { 'copies' => 1 })
raw = client.create_printjob(PrintNode::PrintJob.new(printer.id, 'Label', 'raw_base64', 'XlhBXlha', 'shop'))
cancelled = JSON.parse(client.delete("/printjobs/#{raw}").body)
# The library writes errors to the output, and returns their body.
output = $stdout
$stdout = $stderr
wrong = PrintNode::Client.new(PrintNode::Auth.new('wrong'), url).whoami
$stdout = output
puts JSON.generate(
  account: client.whoami.state,
  computers: client.computers.map(&:id),
  printer: [client.printers('', printer.id)[0].id, printer.computer.id],
  jobs: client.printjobs.map { |job| [job.id, job.title, job.contentType, job.state] },
  states: client.states('1,2').map { |states| states.map(&:state) },
  cancelled: cancelled,
  wrong: wrong.message
)

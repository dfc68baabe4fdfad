# node check.mjs -- ruby examples/adapter.rb
require 'json'

# Three layers of a decoder. Require yours in their place.
class Refused < StandardError; end

def byte_at(data, at)
  data.getbyte(at) or raise Refused, 'end of the data'
end

def varint(data)
  byte = byte_at(data, 0)
  value, sign, size = byte & 0x3f, byte & 0x40, 1
  while byte & 0x80 != 0 && size < 5
    byte = byte_at(data, size)
    value |= (byte & (size == 4 ? 0x0f : 0x7f)) << (7 * size - 1)
    size += 1
  end
  value = [value & 0xffffffff].pack('L').unpack1('l')
  { value: sign == 0 ? value : ~value, size: size }
end

def string(data)
  text, nul, = data.partition("\0".b).map { |part| part.dup.force_encoding('UTF-8') }
  raise Refused, 'no NUL, or no UTF-8' if nul.empty? || !text.valid_encoding?
  { text: text, size: text.bytesize + 1 }
end

def chunk(data, split)
  first, second, vital = byte_at(data, 0), byte_at(data, 1), byte_at(data, 0) & 0x40 != 0
  size = (first & 0x3f) << split | second & ((1 << split) - 1)
  out = { vital: vital, resend: first & 0x80 != 0, header: vital ? 3 : 2, size: size }
  out[:sequence] = (second >> split << split) << 2 & 0x3ff | byte_at(data, 2) if vital
  out
end

def answer(question)
  data = [question['in'].to_s].pack('H*')
  case question['layer']
  when 'varint' then { out: varint(data) }
  when 'string' then { out: string(data) }
  when 'chunk' then { out: chunk(data, question['protocol'] == '0.7' ? 6 : 4) }
  else { skip: true }
  end
rescue Refused => error # what your decoder refuses with
  { error: error.message }
end

$stdin.each_line.map { |line| JSON.parse(line) }.each { |asked| puts({ id: asked['id'], **answer(asked) }.to_json) }

// SPDX-License-Identifier: Apache-2.0
// LLVM in process: an assembly of its own for each text, of one instruction as for xas_encode, or of all of a round's.
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "tests/bench/typed/ways.h"

namespace typed_bench {

namespace {

/// What does not change from one text to the next.
class Assembler {
 public:
  Assembler() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    std::string error;
    target_ = llvm::TargetRegistry::lookupTarget(triple_, error);
    if (!target_) std::abort();
    registers_.reset(target_->createMCRegInfo(triple_));
    info_.reset(target_->createMCAsmInfo(*registers_, triple_, options_));
    instructions_.reset(target_->createMCInstrInfo());
    subtarget_.reset(target_->createMCSubtargetInfo(triple_, "", ""));
  }

  /// Bytes of the object.
  std::size_t assemble(llvm::StringRef text) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "", false), llvm::SMLoc());
    llvm::MCContext context(triple_, info_.get(), registers_.get(), subtarget_.get(), &sources);
    const std::unique_ptr<llvm::MCObjectFileInfo> files(target_->createMCObjectFileInfo(context, false));
    context.setObjectFileInfo(files.get());
    llvm::SmallVector<char, 4096> object;
    llvm::raw_svector_ostream out(object);
    std::unique_ptr<llvm::MCAsmBackend> backend(target_->createMCAsmBackend(*subtarget_, *registers_, options_));
    std::unique_ptr<llvm::MCCodeEmitter> emitter(target_->createMCCodeEmitter(*instructions_, context));
    std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(out);
    const std::unique_ptr<llvm::MCStreamer> streamer(target_->createMCObjectStreamer(
        triple_, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget_));
    const std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *info_));
    const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
        target_->createMCAsmParser(*subtarget_, *parser, *instructions_, options_));
    parser->setTargetParser(*target_parser);
    if (parser->Run(false)) std::abort();
    return object.size();
  }

 private:
  llvm::Triple triple_{"x86_64-linux-gnu"};
  llvm::MCTargetOptions options_;
  const llvm::Target* target_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> info_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
};

Assembler& assembler() {
  static Assembler a;
  return a;
}

void one_by_one(int rounds, int times) {
  for (int i = 0; i < rounds * times; ++i)
    for (const char* t : plain_texts) assembler().assemble(t);
}

void together(int rounds, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    for (const char* t : plain_texts) text.append(t) += '\n';
  for (int round = 0; round < rounds; ++round) assembler().assemble(text);
}

}  // namespace

void add_llvm(std::vector<Way>& ways) {
  ways.push_back({Set::plain, "llvm", "LLVM in process, all of an object's text", together});
  ways.push_back({Set::plain, "llvm-one", "LLVM in process, one instruction", one_by_one});
}

}  // namespace typed_bench
